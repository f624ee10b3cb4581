import { setTimeout as wait } from 'node:timers/promises';
import { createApi } from './api.ts';
import type { DevFile } from '../dev-file.ts';

/** A generated post, as a job returns it. */
export interface GeneratedDraft {
  readonly caption: string;
  readonly creative_format: string;
  readonly rendered_urls: readonly string[];
  readonly score: { readonly overall: number } | null;
}

export interface GenerationJob {
  readonly job_id: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly composer: string;
  readonly error: string | null;
  readonly data: readonly GeneratedDraft[];
  readonly warnings: readonly string[];
}

const FORMATS = ['design', 'carousel', 'meme', 'gif', 'image', 'ai-image'];
const POLL_MS = 200;
const LIMIT_MS = 120_000;

/** Drafts about an idea, one of each kind that takes seconds, with the public API only. */
export async function generate(
  { base_url, api_key, business_id }: Pick<DevFile, 'base_url' | 'api_key' | 'business_id'>,
  idea: string,
  signal: AbortSignal,
): Promise<GenerationJob> {
  const api = createApi(base_url, api_key);
  const business = `/businesses/${business_id}`;
  const request = { custom_idea: idea, count: FORMATS.length, creative_formats: FORMATS, include_stock: true };
  let job = await api<GenerationJob>('POST', `${business}/posts/generate`, request);
  const end = performance.now() + LIMIT_MS;
  while (job.status === 'pending' && performance.now() < end) {
    await wait(POLL_MS, undefined, { signal });
    job = await api<GenerationJob>('GET', `${business}/jobs/${job.job_id}`);
  }
  return job;
}
