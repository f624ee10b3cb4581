import { PlatformFailure } from '../calls/failure.ts';
import { MAX_REFETCHES } from './limits.ts';
import type { Progress } from './progress.ts';

/** Facebook's errors are those of the whole Graph API. */
export { graphRules as rules } from '../graph/error-rules.ts';

/** Whether an object does not exist under the id that we called it by (100, subcode 33). */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof PlatformFailure && error.effect === 'rejected' && error.detail.code === 100 && error.detail.subcode === 33;
}

/**
 * Runs a step for which Facebook fetches an image from us. Its response is the same when it cannot reach us (our gateway restarts) and when the
 * image is bad, so the step is retried a few times; then the error table decides (platform reference 1.4).
 */
export async function refetching<T>(progress: Progress, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const unfetched =
      error instanceof PlatformFailure && error.effect === 'rejected' && (error.detail.code === 324 || error.detail.subcode === 2069019);
    if (!unfetched) throw error;
    const refetches = (progress.refetches ?? 0) + 1;
    if (refetches > MAX_REFETCHES) throw error;
    const again = { effect: 'rejected', detail: error.detail, retryFrom: { ...progress, refetches } } as const;
    throw new PlatformFailure('transient', error.message, again);
  }
}
