import { PlatformFailure } from '../calls/failure.ts';
import { at, numberAt, stringAt, wordless } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import type { GraphRule } from './error-rules.ts';
import { WINDOW_MS } from './limits.ts';

/**
 * Classifies an unsuccessful response by the error in its body. A response without one does not come from the API, whatever its status: a proxy or
 * firewall in between may fail the request after the platform has carried it out.
 */
export function graphFailure(response: PlatformResponse, rules: readonly GraphRule[], onAccount = false): PlatformFailure {
  const error = at(response.json, 'error');
  const code = numberAt(error, 'code');
  const subcode = numberAt(error, 'error_subcode');
  const text = stringAt(error, 'message') ?? '';
  const fits = (rule: GraphRule) =>
    (!rule.numbers || rule.numbers.some((number) => number === code || number === subcode)) &&
    (!rule.codes || (code !== undefined && code >= rule.codes[0] && code <= rule.codes[1])) &&
    (!rule.text || rule.text.test(text)) &&
    (rule.onAccount === undefined || rule.onAccount === onAccount) &&
    (rule.transient === undefined || rule.transient === (at(error, 'is_transient') === true));
  const isApiResponse = code !== undefined || text !== '';
  const found = isApiResponse ? (rules.find(fits) ?? byStatus(response.status)) : notTheApi(response.status);
  // A server error is not a rejection, whatever its code.
  const rule = response.status >= 500 && found.class === 'validation' ? byStatus(response.status) : found;

  return new PlatformFailure(rule.class, stringAt(error, 'error_user_msg') ?? (text || wordless(response, response.status)), {
    effect: rule.effect ?? 'rejected',
    retryAfterMs: rule.class === 'rate_limited' ? (rule.delayMs ?? untilRegained(response)) : rule.delayMs,
    detail: {
      status: response.status,
      code,
      subcode,
      title: stringAt(error, 'error_user_title'),
      text,
      trace: stringAt(error, 'fbtrace_id'),
    },
  });
}

function notTheApi(status: number): GraphRule {
  return { class: status === 429 ? 'rate_limited' : 'transient', effect: 'unknown' };
}

function byStatus(status: number): GraphRule {
  if (status === 429) return { class: 'rate_limited' };
  if (status === 401) return { class: 'token_expired' };
  if (status === 403) return { class: 'permission' };
  // Not a rejection: a failure or timeout on their side.
  if (status >= 500 || status === 408 || status < 400) return { class: 'transient', effect: 'unknown' };
  return { class: 'validation' };
}

/** `X-Business-Use-Case-Usage` contains minutes; without it, windows end at the full hour of the platform's own clock. */
function untilRegained({ headers }: PlatformResponse): number {
  const minutes = Math.max(
    0,
    ...usages(headers['x-business-use-case-usage']).map((usage) => numberAt(usage, 'estimated_time_to_regain_access') ?? 0),
  );
  if (minutes > 0) return minutes * 60_000;
  const now = Date.parse(headers.date ?? '');
  return Number.isNaN(now) ? WINDOW_MS : WINDOW_MS - (now % WINDOW_MS);
}

function usages(header: string | undefined): unknown[] {
  try {
    return Object.values(JSON.parse(header ?? '{}') as Record<string, unknown[]>).flat();
  } catch {
    return [];
  }
}
