import type { Floor } from './floor/start-floor.ts';
import { draft, type Side } from './operations.ts';
import type { BenchPlatform } from './platform.ts';

/** As many as a list of 100 needs. */
const POSTS = 100;

export function ourSide({ baseUrl, apiKey, businessId }: BenchPlatform): Promise<Side> {
  return withPosts({ baseUrl, headers: { authorization: `Bearer ${apiKey}` }, businessId });
}

export async function floorSide({ baseUrl }: Floor): Promise<Side> {
  const { id } = await post(`${baseUrl}/api/businesses`, {}, { name: 'Bench Café', industry: 'Food and drink' });
  return withPosts({ baseUrl, headers: {}, businessId: id });
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
  if (response.status !== 201) throw new Error(`POST ${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return (await response.json()) as { id: string };
}
