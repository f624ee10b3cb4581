import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';

/** The publisher of the posts, and their targets. */
export interface Publisher {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly businessId: string;
}

const LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Creates a post and publishes it now, as a caller does. @returns the post's id */
export async function publish(publisher: Publisher, post: object): Promise<string> {
  const { id } = (await callApi(publisher, 'POST', '', post)) as { id: string };
  await callApi(publisher, 'POST', `/${id}/publish`, {});
  return id;
}

/** Waits until a post is published. @throws Error if it failed, or the time is over */
export async function whenPublished(publisher: Publisher, postId: string, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    const post = (await callApi(publisher, 'GET', `/${postId}`)) as { publish_results: { status: string; error_message: string | null }[] };
    const results = post.publish_results;
    const failed = results.find(({ status }) => status === 'failed');
    if (failed) throw new Error(`Post ${postId} failed: ${failed.error_message}`);
    if (results.length > 0 && results.every(({ status }) => status === 'success')) return;
    if (performance.now() > end) throw new Error(`Post ${postId} is not published after ${limitMs / 1000} s.`);
    await wait(POLL_MS);
  }
}

async function callApi({ baseUrl, apiKey, businessId }: Publisher, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await request(`${baseUrl}/api/businesses/${businessId}/posts${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    headersTimeout: LIMIT_MS,
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} posts${path} returned ${response.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
