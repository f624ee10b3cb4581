import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { until } from '@fanfare/infra';
import { createApi, type Post, type Tenant } from './api.ts';
import { sandboxPosts } from './sandbox.ts';

/** Platforms that publish text alone, and can be searched for a post. */
export const PLATFORMS = ['facebook', 'x'] as const;
const LIMIT_MS = 900_000;

export interface LoadSettings {
  readonly tenant: Tenant;
  /** Begins every caption. */
  readonly name: string;
  readonly perSecond: number;
}

export interface Accepted {
  readonly id: string;
  readonly caption: string;
  /** By this machine's clock, when its last request was accepted. */
  readonly acceptedAt: number;
}

/** What a load has seen. */
export interface LoadReport {
  /** Posts that the API has promised to publish. */
  readonly accepted: readonly Accepted[];
  /** Captions of posts that were given up: nothing was promised, but they may have been published. */
  readonly rejected: readonly string[];
  /** Requests that had to be repeated, by what went wrong. */
  readonly repeated: Readonly<Record<string, number>>;
}

export interface Load {
  /** Waits for the posts that are on their way. */
  stop(): Promise<LoadReport>;
  /** Does not repeat what fails from now on. */
  giveUp(): Promise<LoadReport>;
}

/** Creates and publishes posts steadily, on a thread of its own: the commands of a check do not delay it. */
export function startLoad(settings: LoadSettings): Load {
  const worker = new Worker(path.join(import.meta.dirname, 'load-worker.ts'), { workerData: settings });
  worker.on('error', (error) => console.error('the load has ended', error));
  const end = async (how: 'stop' | 'give up') => {
    const report = once(worker, 'message');
    worker.postMessage(how);
    const [found] = (await report) as [LoadReport];
    return found;
  };
  return { stop: () => end('stop'), giveUp: () => end('give up') };
}

/**
 * Waits until all accepted posts have their results, and compares these with what the platforms have.
 * @param options.mayBeUnknown for processes that were killed: what one was about to send, or had just sent, is on the platform once or not at all, and is never sent
 *   again. Where the platform cannot prove which, the result is `unknown_outcome`, and a person decides
 * @returns how many publications there are, in words
 * @throws Error that names posts that are missing, doubled, or not published
 */
export async function checkPublishedOnce(
  tenant: Tenant,
  { accepted }: Pick<LoadReport, 'accepted'>,
  { mayBeUnknown = false } = {},
): Promise<string> {
  const publications = await publicationsOf(tenant, accepted);
  const isUnknown = ({ error, count }: (typeof publications)[number]) => mayBeUnknown && error === 'unknown_outcome' && count <= 1;
  const unknown = publications.filter(isUnknown);
  const wrong = publications.filter((one) => !isUnknown(one) && (one.status !== 'success' || one.count !== 1));
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${publications.length} are wrong: ${JSON.stringify(wrong.slice(0, 20))}`);
  const rest = unknown.length > 0 ? `, and ${unknown.length} of a killed publisher are reported as unknown` : '';
  return `each of ${publications.length - unknown.length} publications is on its platform once${rest}`;
}

/** Waits for the result of each post on each platform, and counts how often it is there. */
export async function publicationsOf(tenant: Tenant, posts: readonly Accepted[]) {
  const api = createApi(tenant);
  const found: { caption: string; platform: string; status: string; error: string | null }[] = [];
  for (const { id, caption } of posts)
    await until(`the post ${id} has no result`, LIMIT_MS, async () => {
      const { publish_results: results } = await api<Post>('GET', `/posts/${id}`);
      const open = results.filter(({ status }) => status !== 'success' && status !== 'failed');
      if (results.length < PLATFORMS.length || open.length > 0) throw new Error(JSON.stringify(results));
      for (const { platform, status, error_type: error } of results) found.push({ caption, platform, status, error });
    });
  const counts = await countsOf(posts.map(({ caption }) => caption));
  return found.map((one) => ({ ...one, count: counts.get(`${one.caption} ${one.platform}`) ?? 0 }));
}

/** How often each post is on each platform, by caption and platform; one that is not there is not listed. */
export async function countsOf(captions: readonly string[]): Promise<Map<string, number>> {
  const wanted = new Set(captions);
  const counts = new Map<string, number>();
  for (const platform of PLATFORMS)
    for (const { text } of await sandboxPosts(platform))
      if (wanted.has(text)) counts.set(`${text} ${platform}`, (counts.get(`${text} ${platform}`) ?? 0) + 1);
  return counts;
}

/** A line for a report. */
export function summary({ accepted, rejected, repeated }: LoadReport): string {
  const again = Object.entries(repeated).map(([what, count]) => `${count} × ${what}`);
  return `${accepted.length} posts accepted${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}; repeated requests: ${again.join(', ') || 'none'}`;
}
