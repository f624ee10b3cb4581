import type { CallOptions } from './call-options.ts';
import { FanfareError } from './fanfare-error.ts';
import type { Job, Post } from './gen/types.gen.ts';
import { waitUntil, type WaitOptions } from './wait-until.ts';

/**
 * Reads a post until it waits for no time and each of its results is success or failed, or it could not be sent at all (`last_failure`).
 * @throws FanfareError with code timed_out or not_publishing, or the API's error; the reason of the caller's own signal
 */
export const waitUntilPublished = (read: (options: CallOptions) => Promise<Post>, options?: WaitOptions): Promise<Post> =>
  waitUntil({ read, isOver: isPublished, late: 'The post was not published on every account' }, options);

/**
 * Reads a job until it is completed or failed.
 * @throws FanfareError with code timed_out, or the API's error; the reason of the caller's own signal
 */
export const waitUntilEnded = (read: (options: CallOptions) => Promise<Job>, options?: WaitOptions): Promise<Job> =>
  waitUntil({ read, isOver: ({ status }) => status !== 'pending', late: 'The job did not end' }, options);

/** Results that a scheduled post has are of an earlier time, or of accounts that it was sent to ahead of its time. */
function isPublished({ status, publish_results: results, last_failure }: Post): boolean {
  if (status === 'SCHEDULED') return false;
  if (results.length > 0) return results.every((result) => result.status === 'success' || result.status === 'failed');
  if (status === 'PUBLISHED' || last_failure) return true;
  throw new FanfareError(`The post is ${status} and is not being published: publish or schedule it first.`, { code: 'not_publishing' });
}
