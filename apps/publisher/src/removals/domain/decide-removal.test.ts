import { decideRemoval } from './decide-removal.ts';

const HOUR_MS = 3600_000;
const situation = { failures: 0, dueForMs: 0, jitter: 1 };

test.each([
  ['transient', undefined, 1_000],
  ['transient', 30_000, 30_000],
  ['rate_limited', undefined, 60_000],
  ['rate_limited', 5 * HOUR_MS, 5 * HOUR_MS],
] as const)('a %s failure is retried after the wait that the platform requests (%s)', (reason, retryAfterMs, inMs) => {
  expect(decideRemoval({ class: reason, retryAfterMs }, situation)).toEqual({ kind: 'retry', inMs });
});

test('a lost response is retried for a day, however often', () => {
  const transient = { class: 'transient', retryAfterMs: undefined } as const;
  expect(decideRemoval(transient, { ...situation, failures: 500, dueForMs: 24 * HOUR_MS })).toMatchObject({ kind: 'retry' });
  expect(decideRemoval(transient, { ...situation, dueForMs: 26 * HOUR_MS })).toEqual({ kind: 'fail', errorType: 'platform_unavailable' });
});

test.each([
  ['token_expired', 'token_expired'],
  ['permission', 'permission_denied'],
  ['validation', 'validation_failed'],
] as const)('%s is final', (reason, errorType) => {
  expect(decideRemoval({ class: reason, retryAfterMs: undefined }, situation)).toEqual({ kind: 'fail', errorType });
});
