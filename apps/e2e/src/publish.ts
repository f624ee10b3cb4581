import { FanfareError, type CreatePost, type Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import type { Platform } from './platform.ts';

/** Creates a post and publishes it now, trying again when a service is away, as a caller would. Returns its id. */
export async function publish({ fanfare, tenant }: Platform, body: CreatePost): Promise<string> {
  // The keys make a repeat of what was carried out, though its response was lost, harmless.
  const [create, publication] = [crypto.randomUUID(), crypto.randomUUID()];
  const { id } = await untilServed(() => fanfare.posts.create(tenant.business_id, body, { idempotencyKey: create }));
  await untilServed(() => fanfare.posts.publish(tenant.business_id, id, {}, { idempotencyKey: publication }));
  return id;
}

/** A service that is away makes a 500; every other failure is for the test to see. */
async function untilServed<T>(call: () => Promise<T>): Promise<T> {
  const outcome = await eventually(async () => {
    try {
      return { response: await call() };
    } catch (error) {
      if (error instanceof FanfareError && error.status !== 500) return { error };
      throw error;
    }
  });
  if ('error' in outcome) throw outcome.error as Error;
  return outcome.response;
}

/** Reads a post. */
export const readPost = ({ fanfare, tenant }: Platform, id: string): Promise<Post> => fanfare.posts.get(tenant.business_id, id);

/** Polls a post, as callers do, until every result is terminal. */
export async function untilTerminal(platform: Platform, id: string, timeoutMs = 120_000): Promise<Post> {
  return eventually(async () => {
    const post = await readPost(platform, id);
    const results = post.publish_results;
    const done = results.length > 0 && results.every(({ status }) => status === 'success' || status === 'failed');
    if (!done) throw new Error(`the results are ${JSON.stringify(results.map(({ platform: name, status }) => `${name} ${status}`))}`);
    return post;
  }, timeoutMs);
}

/** The outcome of each target: `x success`, `facebook failed validation_failed`. */
export const outcomes = (post: Post): string[] =>
  post.publish_results.map(({ platform, status, error_type }) => [platform, status, error_type].filter(Boolean).join(' ')).sort();
