import type { State } from '../connector.ts';
import { type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { type GraphRule, graphRules } from '../graph/error-rules.ts';
import { MAX_REFETCHES, refetchDelayMs } from '../calls/refetching.ts';
import { NOT_READY_DELAY_MS, QUOTA_DELAY_MS, SPAM_DELAY_MS } from './limits.ts';

/** Media that Instagram could not fetch, and containers that it lost: new containers are tried. */
const FETCH_FAILED = [2207003, 2207052, 2207077];
const CONTAINER_GONE = [2207006, 2207008, 2207020];
const SERVER_TROUBLE = [2207001, 2207032, 2207053, 2207082];

/** Platform reference 2.4; other errors are those of the whole Graph API. */
export const rules: readonly GraphRule[] = [
  { text: /session has been invalidated/i, class: 'token_expired' },
  { numbers: [33], onAccount: true, class: 'token_expired' },
  { numbers: [2207050], class: 'permission' },
  { text: /not an Instagram Business/i, class: 'permission' },
  { numbers: [...FETCH_FAILED, ...CONTAINER_GONE], class: 'transient' },
  { numbers: [2207026], class: 'media_processing_failed' },
  { numbers: [2207027], class: 'transient', delayMs: NOT_READY_DELAY_MS },
  { numbers: [2207042], class: 'rate_limited', delayMs: QUOTA_DELAY_MS },
  // Reported as spam, but the post may exist.
  { numbers: [2207051], class: 'rate_limited', effect: 'unknown', delayMs: SPAM_DELAY_MS },
  { numbers: SERVER_TROUBLE, class: 'transient', effect: 'unknown' },
  { numbers: [2207004, 2207005, 2207009, 2207010, 2207023, 2207028, 2207040, 2207057, 2207081], class: 'validation' },
  { numbers: [2207035, 2207036, 2207037], class: 'validation' },
  { numbers: [9004], class: 'transient' },
  ...graphRules,
];

/**
 * For a step whose container turns out to be unusable: the delivery continues from `fresh` and builds a new one, for some
 * minutes; then the failure stands.
 */
export async function rebuilding<T>(fresh: State & { readonly rebuilds: number }, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.effect !== 'rejected') throw error;
    const number = Number(error.detail.subcode ?? error.detail.code);
    if (![...FETCH_FAILED, ...CONTAINER_GONE, 9004].includes(number)) throw error;
    throw rebuildOrFail(error.message, number, fresh, 'validation');
  }
}

/** What a container in state `ERROR` means; its `status` often names the number of the error. */
export function containerFailure(status: string, fresh: State & { readonly rebuilds: number }): PlatformFailure {
  const number = Number(/\b2207\d{3}\b/.exec(status)?.[0]);
  const passing = [...FETCH_FAILED, ...CONTAINER_GONE, ...SERVER_TROUBLE].includes(number);
  if (passing) return rebuildOrFail(status, number, fresh, 'media_processing_failed');
  return new PlatformFailure('media_processing_failed', status, {
    effect: 'rejected',
    detail: { subcode: Number.isNaN(number) ? undefined : number },
  });
}

function rebuildOrFail(
  message: string,
  subcode: number,
  fresh: State & { readonly rebuilds: number },
  otherwise: FailureClass,
): PlatformFailure {
  const again = fresh.rebuilds <= MAX_REFETCHES;
  return new PlatformFailure(again ? 'transient' : otherwise, message, {
    effect: 'rejected',
    detail: { subcode },
    ...(again && { retryAfterMs: refetchDelayMs(fresh.rebuilds), retryFrom: fresh }),
  });
}
