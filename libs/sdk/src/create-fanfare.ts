import { createCaller } from './caller.ts';
import { resources } from './gen/resources.gen.ts';
import { getJobStatus, getPost } from './gen/sdk.gen.ts';
import type { Post } from './gen/types.gen.ts';
import { bodyOf } from './response-info.ts';
import { uploadMediaBy } from './upload-media.ts';
import type { WaitOptions } from './wait-until.ts';
import { waitUntilEnded, waitUntilPublished } from './waits.ts';

export interface FanfareSettings {
  /** Where the API is, without /api. */
  readonly baseUrl: string;
  /** An API key, or the access token of a signed-in user; a function is called before each request. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The version of the API; the types of this library describe the one that it takes unless told otherwise. */
  readonly version?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** For each try; 60 s. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first; 2. */
  readonly maxRetries?: number | undefined;
}

/** The version of the API that the types describe. */
export const API_VERSION = '2026-08-06';

export type Fanfare = ReturnType<typeof createFanfare>;

/** A client of the API. It holds no connection and nothing to close. */
export function createFanfare({
  baseUrl,
  apiKey,
  version = API_VERSION,
  timeoutMs = 60_000,
  maxRetries = 2,
  fetch: custom,
}: FanfareSettings) {
  // Looked up at each call: whoever replaces the global fetch is heard.
  const fetch = custom ?? ((request: Request) => globalThis.fetch(request));
  const caller = createCaller(baseUrl.replace(/\/+$/, ''), { apiKey, version, fetch, timeoutMs, maxRetries });
  const generated = resources(caller);
  return {
    ...generated,
    jobs: {
      ...generated.jobs,
      /** Reads the job until it is completed or failed, no faster than the rate limits allow. A failed job is not an error of this call: check its `error`. */
      waitUntilEnded: (business_id: string, job_id: string, options?: WaitOptions) =>
        waitUntilEnded((call) => bodyOf(getJobStatus({ ...caller.plain(call), path: { business_id, job_id } })), options),
    },
    media: { ...generated.media, upload: uploadMediaBy(caller) },
    posts: {
      ...generated.posts,
      /**
       * Reads the post until each of its publish_results is success or failed, no faster than the rate limits allow. For a scheduled post it waits until
       * the scheduled time. A failed result is not an error of this call: check the results.
       */
      waitUntilPublished: (post: Pick<Post, 'id' | 'business_id'>, options?: WaitOptions) =>
        waitUntilPublished(
          (call) => bodyOf(getPost({ ...caller.plain(call), path: { business_id: post.business_id, post_id: post.id } })),
          options,
        ),
    },
  };
}
