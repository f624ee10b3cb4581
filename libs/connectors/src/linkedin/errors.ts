import { type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { listAt, numberAt, stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { BURST_DELAY_MS, DAY_MS } from './limits.ts';

/** One row of the error table. All given members must match; the first matching row decides. */
interface LinkedinRule {
  readonly status?: number;
  readonly code?: RegExp;
  readonly serviceCodes?: readonly [number, number];
  readonly text?: RegExp;
  readonly class: FailureClass;
  /** What an operator has to fix. */
  readonly operator?: string;
}

/** Platform reference 3.4. */
const rules: readonly LinkedinRule[] = [
  { status: 426, class: 'validation', operator: 'version_ended' },
  { code: /^NONEXISTENT_VERSION$/, class: 'validation', operator: 'version_ended' },
  { code: /^VERSION_MISSING$/, class: 'validation', operator: 'version_missing' },
  { status: 429, class: 'rate_limited' },
  { code: /^TOO_MANY_REQUESTS$/, class: 'rate_limited' },
  { status: 401, class: 'token_expired' },
  // Also with the service error 65604, which elsewhere is about the token.
  { status: 403, class: 'permission' },
  { code: /^(EXPIRED|REVOKED|INVALID)_ACCESS_TOKEN$/, class: 'token_expired' },
  { serviceCodes: [65_600, 65_605], class: 'token_expired' },
  { code: /^ACCESS_DENIED$/, class: 'permission' },
  { text: /not enough permissions/i, class: 'permission' },
  { code: /^DUPLICATE_POST$/, class: 'duplicate' },
  { status: 422, text: /duplicate/i, class: 'duplicate' },
  { code: /^MEDIA_ASSET_PROCESSING_FAILED$/, class: 'media_processing_failed' },
  { code: /^MEDIA_ASSET_(WAITING_UPLOAD|PROCESSING)$/, class: 'transient' },
  { text: /unable to obtain activity/i, class: 'transient' },
  { status: 409, class: 'transient' },
];

/**
 * Classifies an unsuccessful response. One without LinkedIn's error body does not come from the API, whatever its status: a proxy or firewall
 * in between may fail the request after LinkedIn has carried it out.
 */
export function linkedinFailure(response: PlatformResponse): PlatformFailure {
  const { json } = response;
  const status = response.status < 300 ? (numberAt(json, 'status') ?? response.status) : response.status;
  const details = listAt(json, 'errorDetails', 'inputErrors');
  const codes = [stringAt(json, 'code'), ...details.map((one) => stringAt(one, 'code'))].flatMap((code) => code ?? []);
  const serviceCode = numberAt(json, 'serviceErrorCode');
  const text = withoutClassName(stringAt(json, 'message') ?? stringAt(details[0], 'description') ?? '');
  const fits = (rule: LinkedinRule) =>
    (rule.status === undefined || rule.status === status) &&
    (!rule.code || codes.some((code) => rule.code?.test(code))) &&
    (!rule.serviceCodes || (serviceCode !== undefined && serviceCode >= rule.serviceCodes[0] && serviceCode <= rule.serviceCodes[1])) &&
    (!rule.text || rule.text.test(text));
  const isApiResponse = codes.length > 0 || text !== '' || serviceCode !== undefined;
  const rule = isApiResponse ? (rules.find(fits) ?? otherwise(status)) : notTheApi(status);

  return new PlatformFailure(rule.class, text || wordless(response, status), {
    effect: isApiResponse && status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'unknown',
    retryAfterMs: rule.class === 'rate_limited' ? untilRegained(response, text) : undefined,
    detail: { status, code: codes.at(-1), serviceCode, operator: rule.operator },
  });
}

/** LinkedIn has no such version of its API, or has ended it; it checks that before anything else. A 426 of anyone else does not say so. */
export function isVersionRejection({ status, json }: PlatformResponse): boolean {
  return status === 426 && stringAt(json, 'code') === 'NONEXISTENT_VERSION';
}

/** The post that LinkedIn names as the original of a rejected duplicate. */
export function repeatedPost(failure: PlatformFailure): string | undefined {
  return failure.class === 'duplicate' ? /urn:li:(?:share|ugcPost):\d+/.exec(failure.message)?.[0] : undefined;
}

/** An image or video is not ready yet, although LinkedIn reported it as ready. */
export function isMediaUnready({ detail }: PlatformFailure): boolean {
  return detail.code === 'MEDIA_ASSET_WAITING_UPLOAD' || detail.code === 'MEDIA_ASSET_PROCESSING';
}

/** A rejection that sometimes disappears with the next call. */
export function isTemporaryRejection(failure: PlatformFailure): boolean {
  return failure.class === 'permission' && /resource is forbidden/i.test(failure.message);
}

function notTheApi(status: number): LinkedinRule {
  return { class: status === 429 ? 'rate_limited' : 'transient' };
}

function otherwise(status: number): LinkedinRule {
  return { class: status >= 400 && status < 500 && status !== 408 ? 'validation' : 'transient' };
}

/** LinkedIn normally sends no `Retry-After`; a daily quota resets at midnight UTC of LinkedIn's own clock. */
function untilRegained({ headers }: PlatformResponse, text: string): number {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  if (seconds > 0) return seconds * 1_000;
  if (/\b(burst|second|minute)\b/i.test(text)) return BURST_DELAY_MS;
  const now = Date.parse(headers.date ?? '');
  return Number.isNaN(now) ? DAY_MS : DAY_MS - (now % DAY_MS);
}

/** Messages sometimes start with the name of a Java class. */
function withoutClassName(message: string): string {
  return message.replace(/^(?:\w+\.)+\w*Exception:\s*/, '');
}
