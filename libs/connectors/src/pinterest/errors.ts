import { aboutOption, listedAt } from '../checks/about-option.ts';
import { type Effect, type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { numberAt, stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { MAX_WINDOW_MS, WINDOW_MS } from './limits.ts';
import type { Progress } from './progress.ts';

/** One row of the error table. All given members must match; the first matching row decides. */
interface PinterestRule {
  readonly status: number;
  readonly text?: RegExp;
  readonly class: FailureClass;
  readonly effect?: Effect;
}

/** Platform reference 6.4. Pinterest does not document its `code` numbers, so they are not used. */
const rules: readonly PinterestRule[] = [
  { status: 401, class: 'token_expired' },
  { status: 403, class: 'permission' },
  { status: 409, text: /already exists|duplicate/i, class: 'duplicate' },
  // Another call is changing the same board. The call had no effect; a retry may succeed.
  { status: 409, class: 'transient' },
  { status: 429, class: 'rate_limited' },
  { status: 408, class: 'transient', effect: 'unknown' },
];

const UNREACHABLE = /(unable|failed|could not|couldn't) (to )?(reach|fetch|download|access)\b/i;
/** Reasons for a rejection other than the number of images. */
const ELSEWHERE =
  /\b(spam|blocked|reach|fetch|download|access|too large|could not be read|board(_\w+)?|title|description|link|alt_text|duplicate)\b/i;
const MAX_QUOTE = 300;

/**
 * Classifies an unsuccessful response. One without Pinterest's `message` does not come from the API, whatever its status: a proxy or firewall in
 * between may fail the request after Pinterest has carried it out.
 */
export function pinterestFailure(response: PlatformResponse): PlatformFailure {
  const { status, json } = response;
  const text = stringAt(json, 'message') ?? '';
  const fits = (rule: PinterestRule) => rule.status === status && (!rule.text || rule.text.test(text));
  const rule = text === '' ? notTheApi(status) : (rules.find(fits) ?? otherwise(status));
  return new PlatformFailure(rule.class, text || wordless(response, status), {
    effect: rule.effect ?? 'rejected',
    retryAfterMs: rule.class === 'rate_limited' ? untilReset(response) : undefined,
    detail: { status, code: numberAt(json, 'code') },
  });
}

/** Whether Pinterest rejects an image that it could not fetch from us. */
export const isUnfetched = (failure: PlatformFailure): boolean => failure.class === 'validation' && UNREACHABLE.test(failure.message);

/**
 * Pinterest's guide says that pins with several images were removed, but its API still describes them (platform reference 6.2): a rejected one is
 * retried with only the first image. Not if the rejection is about something that this would not fix, or about an unusable image: that
 * is for its author to decide.
 * @param progress the current state
 */
export async function withFirstAlone<T>(progress: Progress, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const isRejected =
      error instanceof PlatformFailure &&
      error.class === 'validation' &&
      error.effect === 'rejected' &&
      error.detail['status'] === 400 &&
      !ELSEWHERE.test(error.message);
    if (!isRejected || progress.firstAlone !== undefined) throw error;
    throw new PlatformFailure('transient', error.message, {
      effect: 'rejected',
      detail: error.detail,
      retryFrom: { ...progress, firstAlone: error.message.slice(0, MAX_QUOTE) },
    });
  }
}

/** Translates Pinterest's error about the board into one about our option. */
export async function namingTheBoard<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.detail['status'] !== 404) throw error;
    const { effect, detail, message } = error;
    const option = /\bsection\b/i.test(message) ? 'board_section_id' : /\bboard\b/i.test(message) ? 'board_id' : undefined;
    throw option === undefined
      ? error
      : new PlatformFailure(error.class, aboutOption(option, message, listedAt(option)), { effect, detail });
  }
}

function notTheApi(status: number): Omit<PinterestRule, 'status'> {
  return { class: status === 429 ? 'rate_limited' : 'transient', effect: 'unknown' };
}

function otherwise(status: number): Omit<PinterestRule, 'status'> {
  return status >= 400 && status < 500 ? { class: 'validation' } : { class: 'transient', effect: 'unknown' };
}

/** `x-ratelimit-reset` counts seconds from now. */
function untilReset({ headers }: PlatformResponse): number {
  const waitMs = Number.parseFloat(headers['x-ratelimit-reset'] ?? headers['retry-after'] ?? '') * 1_000;
  return Number.isNaN(waitMs) || waitMs > MAX_WINDOW_MS ? WINDOW_MS : Math.max(1_000, waitMs);
}
