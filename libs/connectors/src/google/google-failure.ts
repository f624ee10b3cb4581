import { type Effect, type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { listAt, stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { LIMITED_DELAY_MS } from './limits.ts';

/** One row of an error table. All given members must match; the first matching row decides. */
export interface GoogleRule {
  readonly http?: number;
  /** `errors[].reason`, in use by the older APIs such as YouTube's, or the reason of an `ErrorInfo`. */
  readonly reasons?: readonly string[];
  /** google.rpc: `RESOURCE_EXHAUSTED` */
  readonly status?: string;
  readonly text?: RegExp;
  /** Whether the quota is zero: the API is not enabled for our project. */
  readonly noQuota?: true;
  readonly class: FailureClass;
  /** The effect of the call; `rejected` by default. */
  readonly effect?: Effect;
  /** In milliseconds; a function if it depends on the platform's clock in the response. */
  readonly delayMs?: number | ((response: PlatformResponse) => number);
  /** What an operator has to fix. */
  readonly operator?: string;
}

/** Google's error body: `{error: {code, message, status, errors: [{reason}], details: []}}`. */
interface GoogleError {
  readonly message: string;
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** The parts of the request that Google rejects; empty if it names none. */
  readonly fields: readonly string[];
  readonly retryDelayMs: number | undefined;
  /** The used-up quota allows no requests at all. */
  readonly noQuota: boolean;
}

/**
 * Classifies an unsuccessful response. One without Google's error body does not come from the API, whatever its status: a proxy in between may
 * fail the request after Google has carried it out.
 */
export function googleFailure(response: PlatformResponse, rules: readonly GoogleRule[]): PlatformFailure {
  const error = readGoogleError(response.json);
  const fits = (rule: GoogleRule) =>
    (rule.http === undefined || rule.http === response.status) &&
    (rule.status === undefined || rule.status === error?.status) &&
    (!rule.reasons || (error?.reason !== undefined && rule.reasons.includes(error.reason))) &&
    (!rule.noQuota || error?.noQuota === true) &&
    (!rule.text || rule.text.test(error?.message ?? ''));
  const rule = error ? (rules.find(fits) ?? byStatus(response.status, error.status)) : notTheApi(response.status);
  const delayMs = typeof rule.delayMs === 'function' ? rule.delayMs(response) : rule.delayMs;
  const named = error?.retryDelayMs ?? retryAfter(response);

  return new PlatformFailure(rule.class, error?.message || wordless(response, response.status), {
    effect: rule.effect ?? 'rejected',
    retryAfterMs: rule.class === 'rate_limited' ? (named ?? delayMs ?? LIMITED_DELAY_MS) : (delayMs ?? undefined),
    detail: {
      status: response.status,
      reason: error?.reason,
      rpc: error?.status,
      fields: error?.fields.join(', ') || undefined,
      operator: rule.operator,
    },
  });
}

/** The error in a response's body; undefined if there is none of Google's. OAuth's format (`{error, error_description}`) counts too. */
export function readGoogleError(json: unknown): GoogleError | undefined {
  const message = stringAt(json, 'error', 'message');
  const status = stringAt(json, 'error', 'status');
  const oauth = stringAt(json, 'error');
  const details = listAt(json, 'error', 'details');
  const reason =
    stringAt(json, 'error', 'errors', 0, 'reason') ?? details.map((detail) => stringAt(detail, 'reason')).find(Boolean) ?? oauth;
  if (message === undefined && status === undefined && reason === undefined) return undefined;
  const delay = details.map((detail) => stringAt(detail, 'retryDelay')).find(Boolean);
  // `BadRequest` of google.rpc and `ValidationError` of My Business: only these name the invalid field.
  const violations = details.flatMap((detail) => [...listAt(detail, 'fieldViolations'), ...listAt(detail, 'errorDetails')]);
  const causes = violations.flatMap((violation) => stringAt(violation, 'description') ?? stringAt(violation, 'message') ?? []);
  const words = message ?? stringAt(json, 'error_description') ?? reason ?? '';
  return {
    message: [words, ...causes.filter((cause) => !words.includes(cause))].join(' ').trim(),
    status,
    reason,
    fields: violations.flatMap((violation) => stringAt(violation, 'field') ?? []),
    // google.protobuf.Duration in JSON: `3.5s`.
    retryDelayMs: delay === undefined ? undefined : Math.ceil(Number.parseFloat(delay) * 1_000) || undefined,
    noQuota: details.some((detail) => stringAt(detail, 'metadata', 'quota_limit_value') === '0'),
  };
}

function notTheApi(status: number): GoogleRule {
  return { class: status === 429 ? 'rate_limited' : 'transient', effect: 'unknown' };
}

function byStatus(status: number, rpc: string | undefined): GoogleRule {
  if (status === 401 || rpc === 'UNAUTHENTICATED') return { class: 'token_expired' };
  if (status === 429 || rpc === 'RESOURCE_EXHAUSTED') return { class: 'rate_limited' };
  if (status === 403) return { class: 'permission' };
  if (status >= 500 || status === 408 || status < 400) return { class: 'transient', effect: 'unknown' };
  return { class: 'validation' };
}

/** In seconds. */
function retryAfter({ headers }: PlatformResponse): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : seconds * 1_000;
}
