import { type Effect, type FailureClass, PlatformFailure } from '../calls/failure.ts';
import { at, numberAt, stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { CAPPED_DELAY_MS, MAX_WINDOW_MS, WINDOW_MS } from './limits.ts';

/** One row of the error table. All given members must match; the first matching row decides. */
interface XRule {
  readonly status?: number;
  /** Matches the problem's `type`, which is a URL. */
  readonly type?: RegExp;
  readonly text?: RegExp;
  readonly class: FailureClass;
  readonly effect?: Effect;
  readonly delayMs?: number;
  /** What an operator has to fix. */
  readonly operator?: string;
}

/** Platform reference 4.4. */
const rules: readonly XRule[] = [
  { status: 401, class: 'token_expired' },
  { status: 402, class: 'permission', operator: 'credits_depleted' },
  { type: /\/problems\/credits/, class: 'permission', operator: 'credits_depleted' },
  { type: /\/usage-capped/, class: 'rate_limited', delayMs: CAPPED_DELAY_MS, operator: 'usage_capped' },
  { type: /\/rate-limit-exceeded/, class: 'rate_limited' },
  { status: 429, class: 'rate_limited' },
  { status: 403, text: /duplicate content/i, class: 'duplicate' },
  // Our app is not enrolled in a plan or not attached to a project.
  { type: /\/client-forbidden/, class: 'permission', operator: 'app_not_enrolled' },
  { status: 403, class: 'permission' },
  { type: /\/not-authorized-for-resource/, class: 'permission' },
  { status: 408, class: 'transient', effect: 'unknown' },
];

/**
 * Classifies an unsuccessful response. One without X's error body does not come from the API, whatever its status: a proxy or firewall in
 * between may fail the request after X has carried it out.
 */
export function xFailure(response: PlatformResponse): PlatformFailure {
  // Lists may return 200 with only errors, each a problem of its own.
  const problem = response.status < 300 ? (at(response.json, 'errors', 0) ?? response.json) : response.json;
  const status = response.status < 300 ? (numberAt(problem, 'status') ?? response.status) : response.status;
  const type = stringAt(problem, 'type') ?? '';
  const said = [stringAt(problem, 'detail'), stringAt(problem, 'errors', 0, 'message')].filter((one) => one !== undefined);
  const text = said.length > 0 ? [...new Set(said)].join(' ') : (stringAt(problem, 'title') ?? '');
  const fits = (rule: XRule) =>
    (rule.status === undefined || rule.status === status) && (!rule.type || rule.type.test(type)) && (!rule.text || rule.text.test(text));
  const isApiResponse = type !== '' || text !== '';
  const rule = isApiResponse ? (rules.find(fits) ?? otherwise(status)) : notTheApi(status);

  return new PlatformFailure(rule.class, text || wordless(response, status), {
    effect: rule.effect ?? 'rejected',
    retryAfterMs: rule.class === 'rate_limited' ? (rule.delayMs ?? untilReset(response)) : undefined,
    detail: { status, type, title: stringAt(problem, 'title'), operator: rule.operator },
  });
}

function notTheApi(status: number): XRule {
  return { class: status === 429 ? 'rate_limited' : 'transient', effect: 'unknown' };
}

function otherwise(status: number): XRule {
  return status >= 400 && status < 500 ? { class: 'validation' } : { class: 'transient', effect: 'unknown' };
}

/** `x-rate-limit-reset` is in Unix seconds by X's own clock. */
function untilReset({ headers }: PlatformResponse): number {
  const waitMs = Number(headers['x-rate-limit-reset']) * 1_000 - Date.parse(headers.date ?? '');
  // Longer than any window: one of the two clocks is wrong.
  return Number.isNaN(waitMs) || waitMs > MAX_WINDOW_MS ? WINDOW_MS : Math.max(1_000, waitMs);
}
