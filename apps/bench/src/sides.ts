import type { Floor } from './floor/start-floor.ts';
import { draft, type Side } from './operations.ts';
import type { BenchPlatform } from './platform.ts';
import { storeStats } from './store/floor-stats.ts';

/** As many as a list of 100 needs. */
const POSTS = 100;
/** The platform whose statistics are read: thirty days of several metrics. */
const READ = 'facebook';

export function ourSide({ baseUrl, apiKey, businessId, integrations }: BenchPlatform): Promise<Side> {
  return withPosts({ baseUrl, headers: { authorization: `Bearer ${apiKey}` }, businessId, integrationId: integrations[READ] ?? '' });
}

/** @param platform the platform whose account statistics the baseline also returns */
export async function floorSide({ baseUrl }: Floor, platform: BenchPlatform): Promise<Side> {
  const { id } = await post(`${baseUrl}/api/businesses`, {}, { name: 'Bench Café', industry: 'Food and drink' });
  const { analytics, operator, mongoUrl, namespace, integrations } = platform;
  const integrationId = integrations[READ] ?? '';
  const wanted = { integrationId, start: '', end: '', period: '', metrics: [], isFresh: false };
  const { stats } = await analytics.getAccountStats(wanted, operator.as(platform));
  if (!stats) throw new Error(`There are no statistics of ${READ}.`);
  await storeStats(mongoUrl, `${namespace}_floor`, integrationId, stats);
  return withPosts({ baseUrl, headers: {}, businessId: id, integrationId });
}

async function withPosts(side: Omit<Side, 'postIds'>): Promise<Side> {
  const postIds: string[] = [];
  while (postIds.length < POSTS) {
    const { id } = await post(`${side.baseUrl}/api/businesses/${side.businessId}/posts`, side.headers, draft);
    postIds.push(id);
  }
  return { ...side, postIds };
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<{ id: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.status !== 201) throw new Error(`POST ${url} returned ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as { id: string };
}
