import { eventually } from '@fanfare/testing';
import type { Answer, PostBody } from './api.ts';
import type { Platform } from './platform.ts';

/** Creates a post and publishes it now, trying again when a service is away, as a caller would. Answers with its id. */
export async function publish(platform: Platform, body: Record<string, unknown>): Promise<string> {
  const path = `/api/businesses/${platform.tenant.business_id}/posts`;
  const created = await callUntilAnswered(platform, path, body);
  if (created.status !== 201) throw new Error(`creating the post answered ${created.status}: ${JSON.stringify(created.body)}`);
  const published = await callUntilAnswered(platform, `${path}/${created.body.id}/publish`);
  if (published.status !== 202) throw new Error(`publishing answered ${published.status}: ${JSON.stringify(published.body)}`);
  return created.body.id;
}

async function callUntilAnswered(platform: Platform, path: string, body?: unknown): Promise<Answer<PostBody>> {
  return eventually(async () => {
    const answer = await platform.api<PostBody>('POST', path, body);
    if (answer.status === 500) throw new Error(`${path} answered 500, Retry-After ${answer.headers.get('retry-after')}`);
    return answer;
  });
}

/** Reads a post. */
export async function readPost(platform: Platform, id: string): Promise<PostBody> {
  const { body } = await platform.api<PostBody>('GET', `/api/businesses/${platform.tenant.business_id}/posts/${id}`);
  return body;
}

/** Polls a post, as callers do, until every result is terminal. */
export async function untilTerminal(platform: Platform, id: string, timeoutMs = 120_000): Promise<PostBody> {
  return eventually(async () => {
    const post = await readPost(platform, id);
    const results = post.publish_results ?? [];
    const done = results.length > 0 && results.every(({ status }) => status === 'success' || status === 'failed');
    if (!done) throw new Error(`the results are ${JSON.stringify(results.map(({ platform: name, status }) => `${name} ${status}`))}`);
    return post;
  }, timeoutMs);
}

/** The outcome of each target: `x success`, `facebook failed validation_failed`. */
export const outcomes = (post: PostBody): string[] =>
  post.publish_results.map(({ platform, status, error_type }) => [platform, status, error_type].filter(Boolean).join(' ')).sort();
