import { graphFailure } from '../graph/graph-failure.ts';
import { rules } from './errors.ts';

const response = (status: number, error: object | undefined, headers: Record<string, string> = {}) => {
  const json = error && { error };
  return { status, headers, json, text: JSON.stringify(json ?? '') };
};

test.each([
  [400, { code: 190, error_subcode: 458 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 459 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 460 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 464 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 467 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 463 }, 'token_expired', 'rejected'],
  [400, { code: 190, error_subcode: 492 }, 'token_expired', 'rejected'],
  [400, { code: 102 }, 'token_expired', 'rejected'],
  [400, { code: 190, message: 'This method must be called with a Page Access Token' }, 'validation', 'rejected'],
  [403, { code: 10 }, 'permission', 'rejected'],
  [403, { code: 3 }, 'permission', 'rejected'],
  [403, { code: 200 }, 'permission', 'rejected'],
  [403, { code: 283 }, 'permission', 'rejected'],
  [400, { code: 100 }, 'validation', 'rejected'],
  [400, { code: 100, error_subcode: 33 }, 'validation', 'rejected'],
  [400, { code: 100, error_subcode: 1609005 }, 'validation', 'rejected'],
  [400, { code: 100, error_subcode: 1609008 }, 'validation', 'rejected'],
  [400, { code: 2061006 }, 'validation', 'rejected'],
  [400, { code: 1349125 }, 'validation', 'rejected'],
  [400, { code: 1366046 }, 'validation', 'rejected'],
  [400, { code: 36001 }, 'validation', 'rejected'],
  [400, { code: 2069019 }, 'validation', 'rejected'],
  [400, { code: 4, is_transient: true }, 'rate_limited', 'rejected'],
  [400, { code: 17 }, 'rate_limited', 'rejected'],
  [400, { code: 32 }, 'rate_limited', 'rejected'],
  [400, { code: 613 }, 'rate_limited', 'rejected'],
  [400, { code: 80002 }, 'rate_limited', 'rejected'],
  [400, { code: 80001 }, 'rate_limited', 'rejected'],
  // Without an error of the API: a proxy or firewall in between, perhaps after the deed.
  [429, undefined, 'rate_limited', 'unknown'],
  [400, { code: 368 }, 'rate_limited', 'rejected'],
  [400, { code: 1404112 }, 'rate_limited', 'rejected'],
  [400, { code: 1390008 }, 'rate_limited', 'rejected'],
  [500, { code: 1 }, 'transient', 'unknown'],
  [500, { code: 100 }, 'transient', 'unknown'],
  [500, { code: 2, is_transient: true }, 'transient', 'unknown'],
  [400, { code: 99999, is_transient: true }, 'transient', 'unknown'],
  [400, { code: 1609010 }, 'transient', 'unknown'],
  [400, { code: 100, error_subcode: 1363047 }, 'transient', 'unknown'],
  [503, undefined, 'transient', 'unknown'],
  [302, undefined, 'transient', 'unknown'],
  [400, { code: 506 }, 'duplicate', 'rejected'],
  [400, { code: 1366051 }, 'duplicate', 'rejected'],
  [400, { code: 1346003 }, 'validation', 'rejected'],
  [400, { code: 1404102 }, 'validation', 'rejected'],
  [400, { code: 1404078 }, 'permission', 'rejected'],
  [400, { code: 3001, error_subcode: 1504028 }, 'validation', 'rejected'],
  [400, { code: 4854002 }, 'permission', 'rejected'],
  [400, { code: 341 }, 'validation', 'rejected'],
  [400, { code: 6000, error_subcode: 1363040 }, 'media_processing_failed', 'rejected'],
  [400, { code: 6000, error_subcode: 1363127 }, 'media_processing_failed', 'rejected'],
  [400, { code: 6000, error_subcode: 1363128 }, 'media_processing_failed', 'rejected'],
  [400, { code: 6000, error_subcode: 1363129 }, 'media_processing_failed', 'rejected'],
  [400, { code: 12 }, 'validation', 'rejected'],
  [401, undefined, 'transient', 'unknown'],
  [403, undefined, 'transient', 'unknown'],
  [404, undefined, 'transient', 'unknown'],
])('status %d with %j is %s, %s', (status, error, failureClass, effect) => {
  expect(graphFailure(response(status, error), rules)).toMatchObject({ class: failureClass, effect });
});

test('shows callers the message that Facebook wrote for users, and operators the whole error', () => {
  const error = {
    message: '(#100) Bad link',
    code: 100,
    error_subcode: 1609005,
    error_user_msg: 'This link cannot be posted.',
    fbtrace_id: 'A1',
  };
  expect(graphFailure(response(400, error), rules)).toMatchObject({
    message: 'This link cannot be posted.',
    detail: { status: 400, code: 100, subcode: 1609005, text: '(#100) Bad link', trace: 'A1' },
  });
});

test.each([
  [
    'the time that Facebook estimates',
    { 'x-business-use-case-usage': '{"100":[{"type":"pages","estimated_time_to_regain_access":7}]}' },
    7 * 60_000,
  ],
  ['the top of the next hour', { date: 'Sat, 21 Nov 2026 10:48:00 GMT' }, 12 * 60_000],
  ['an hour, when nothing is told', {}, 60 * 60_000],
])('an exhausted rate limit is retried after %s', (_what, headers, retryAfterMs) => {
  expect(graphFailure(response(400, { code: 32 }, headers), rules)).toMatchObject({ retryAfterMs });
});

test.each([368, 1390008, 1404112])('a block (%d) is retried after a day', (code) => {
  expect(graphFailure(response(400, { code }), rules)).toMatchObject({ retryAfterMs: 24 * 3_600_000 });
});
