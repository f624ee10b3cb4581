import type { State } from '../connector.ts';
import { PlatformFailure } from './failure.ts';

/** Part of the progress of connectors whose platform fetches media from us. */
export interface Refetches {
  /** How often the platform could not fetch media. */
  readonly refetches?: number;
}

/** With the waits of `refetchDelayMs`, four minutes: longer than our services need to restart, also on another machine. */
export const MAX_REFETCHES = 8;

/** The wait before the next request that a platform fetches media: 1 s, 2 s, 4 s, … @param refetches how often it could not, from 1 */
export const refetchDelayMs = (refetches: number): number => 1_000 * 2 ** (refetches - 1);

/**
 * Runs a step for which a platform fetches media from us. Its response is the same when it cannot reach us (our gateway restarts) and when it
 * cannot use the file. The file was checked before, so the step is retried for some minutes; then the platform's response stands.
 * @param progress the current state
 * @param isUnfetched whether a rejection may mean that media was not fetched
 * @param fresh the state that the next attempt starts from, if it cannot be the current one
 */
export async function refetching<P extends Refetches, T>(
  progress: P,
  isUnfetched: (failure: PlatformFailure) => boolean,
  run: () => Promise<T>,
  fresh: Partial<P> = progress,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.effect !== 'rejected' || !isUnfetched(error)) throw error;
    const refetches = (progress.refetches ?? 0) + 1;
    if (refetches > MAX_REFETCHES) throw error;
    const retryFrom = { ...fresh, refetches } as State;
    throw new PlatformFailure('transient', error.message, {
      effect: 'rejected',
      retryAfterMs: refetchDelayMs(refetches),
      detail: error.detail,
      retryFrom,
    });
  }
}
