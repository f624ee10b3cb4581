import { aboutOption, listedAt } from '../checks/about-option.ts';
import { type Effect, type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { MAX_REFETCHES, refetchDelayMs } from '../calls/refetching.ts';
import { DAY_MS, WINDOW_MS } from './limits.ts';
import { fresh, type Progress } from './progress.ts';

interface Rule {
  readonly class: FailureClass;
  readonly effect?: Effect;
  readonly delayMs?: number;
  /** What an operator has to fix. */
  readonly operator?: string;
}

interface FailRule extends Rule {
  /** So often it is retried; after that the media has failed. */
  readonly retries?: number;
  /** The wait before each, if it grows. @param retry from 1 */
  readonly pauseBefore?: (retry: number) => number;
}

const tokenExpired: Rule = { class: 'token_expired' };
const permission: Rule = { class: 'permission' };
const validation: Rule = { class: 'validation' };
const mediaFailed: Rule = { class: 'media_processing_failed' };
/** TikTok fetches photos from us. */
const unfetched: FailRule = { class: 'transient', retries: MAX_REFETCHES, pauseBefore: refetchDelayMs };
const tomorrow: Rule = { class: 'rate_limited', delayMs: DAY_MS };

/** By `error.code`. Platform reference 5.4. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  Object.entries({
    access_token_invalid: tokenExpired,
    access_token_expired: tokenExpired,
    scope_not_authorized: permission,
    scope_permission_missed: permission,
    unaudited_client_can_only_post_to_private_accounts: { ...permission, operator: 'app_not_audited' },
    spam_risk_user_banned_from_posting: permission,
    url_ownership_unverified: { ...validation, operator: 'url_prefix_not_verified' },
    privacy_level_option_mismatch: validation,
    invalid_param: validation,
    invalid_params: validation,
    invalid_file_upload: validation,
    app_version_check_failed: validation,
    spam_risk: validation,
    spam_risk_text: validation,
    spam_risk_too_many_posts: tomorrow,
    spam_risk_too_many_pending_share: tomorrow,
    reached_active_user_cap: { ...tomorrow, operator: 'active_user_cap' },
    rate_limit_exceeded: { class: 'rate_limited', delayMs: WINDOW_MS },
    internal_error: { class: 'transient', effect: 'unknown' },
  }),
);

/** By `fail_reason`, which TikTok returns for a post that it accepted but did not create. */
const failReasons: ReadonlyMap<string, FailRule> = new Map<string, FailRule>(
  Object.entries({
    auth_removed: tokenExpired,
    internal: { class: 'transient', retries: 1 },
    file_format_check_failed: mediaFailed,
    duration_check_failed: mediaFailed,
    frame_rate_check_failed: mediaFailed,
    picture_size_check_failed: mediaFailed,
    video_bitrate_check_failed: mediaFailed,
    video_pull_failed: unfetched,
    photo_pull_failed: unfetched,
    publish_cancelled: validation,
    spam_risk: validation,
    spam_risk_text: validation,
    spam_risk_user_banned_from_posting: permission,
    spam_risk_too_many_posts: tomorrow,
  }),
);

/**
 * Classifies an unsuccessful response: TikTok returns errors with every status, including 200. One without an `error.code` does not
 * come from the API, whatever its status.
 */
export function tiktokFailure(response: PlatformResponse): PlatformFailure {
  const { status, json } = response;
  const code = stringAt(json, 'error', 'code');
  const rule = code === undefined || code === 'ok' ? notTheApi(status) : (rules.get(code) ?? otherwise(status));
  const words = stringAt(json, 'error', 'message') ?? code ?? wordless(response, status);
  const message = code === 'privacy_level_option_mismatch' ? aboutOption('privacy_level', words, listedAt('privacy_level')) : words;
  return new PlatformFailure(rule.class, message, {
    effect: rule.effect ?? 'rejected',
    retryAfterMs: rule.delayMs,
    detail: { status, code, log_id: stringAt(json, 'error', 'log_id'), operator: rule.operator },
  });
}

/**
 * A post that TikTok accepted and then gave up. There is no post, so another attempt may start over; temporary failures are retried, and
 * count as a failure of the media after that.
 */
export function publishingFailure(reason: string, progress: Progress): PlatformFailure {
  const rule = failReasons.get(reason);
  const retryFrom = fresh(progress);
  const isSpent = rule?.retries !== undefined && retryFrom.rebuilds > rule.retries;
  return new PlatformFailure(isSpent || !rule ? 'media_processing_failed' : rule.class, `TikTok could not publish the post: ${reason}.`, {
    effect: 'rejected',
    retryAfterMs: rule?.pauseBefore?.(retryFrom.rebuilds) ?? rule?.delayMs,
    detail: { fail_reason: reason },
    retryFrom,
  });
}

function notTheApi(status: number): Rule {
  return { class: status === 429 ? 'rate_limited' : 'transient', effect: 'unknown', ...(status === 429 && { delayMs: WINDOW_MS }) };
}

function otherwise(status: number): Rule {
  if (status >= 500) return { class: 'transient', effect: 'unknown' };
  if (status === 429) return { class: 'rate_limited', delayMs: WINDOW_MS };
  return status === 401 ? tokenExpired : validation;
}
