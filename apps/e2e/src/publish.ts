import { FanfareError, type CreatePost, type Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import type { Platform } from './platform.ts';

/** Creates a post and publishes it now, and retries while a service is unavailable, as a caller would. Returns its id. */
export async function publish({ fanfare, tenant }: Platform, body: CreatePost): Promise<string> {
  // The keys make it harmless to repeat a request that was carried out but whose response was lost.
  const [create, publication] = [crypto.randomUUID(), crypto.randomUUID()];
  const { id } = await untilServed(() => fanfare.posts.create(tenant.business_id, body, { idempotencyKey: create }));
  await untilServed(() => fanfare.posts.publish(tenant.business_id, id, {}, { idempotencyKey: publication }));
  return id;
}

/** Repeats a call while something is down, as a caller would. An unavailable service leads to a 500, and a gateway to no response; the test must see every other failure. */
export async function untilServed<T>(call: () => Promise<T>): Promise<T> {
  const outcome = await eventually(async () => {
    try {
      return { response: await call() };
    } catch (error) {
      if (error instanceof FanfareError && error.status !== undefined && error.status !== 500) return { error };
      throw error;
    }
  });
  if ('error' in outcome) throw outcome.error as Error;
  return outcome.response;
}

/** Reads a post. */
export const readPost = ({ fanfare, tenant }: Platform, id: string): Promise<Post> => fanfare.posts.get(tenant.business_id, id);

/** Polls a post, as callers do, until every result is final. */
export async function untilTerminal(platform: Platform, id: string): Promise<Post> {
  return eventually(async () => {
    const post = await readPost(platform, id);
    const results = post.publish_results;
    const done = results.length > 0 && results.every(({ status }) => status === 'success' || status === 'failed');
    if (!done) throw new Error(`the results are ${JSON.stringify(results.map(({ platform: name, status }) => `${name} ${status}`))}`);
    return post;
  });
}

/** Polls a post until no removal is pending. */
export async function untilUnpublished(platform: Platform, id: string): Promise<Post> {
  return eventually(async () => {
    const post = await readPost(platform, id);
    return post.publish_results.every(({ removal }) => removal?.status !== 'pending') && post;
  });
}

/** The outcome of each target: `x success`, `facebook failed validation_failed`. */
export const outcomes = (post: Post): string[] =>
  post.publish_results.map(({ platform, status, error_type }) => [platform, status, error_type].filter(Boolean).join(' ')).sort();
