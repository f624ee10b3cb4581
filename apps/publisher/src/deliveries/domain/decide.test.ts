import type { Effect, FailureClass } from '@fanfare/connectors';
import { decide, type Situation } from './decide.ts';

const HOUR_MS = 3600_000;

const situation = (more: Partial<Situation> = {}): Situation => ({
  failures: 0,
  unsent: 0,
  refreshed: false,
  committedBefore: false,
  dueForMs: 0,
  jitter: 1,
  ...more,
});
const after = (failureClass: FailureClass, more: Partial<Situation> = {}, retryAfterMs?: number, effect: Effect = 'rejected') =>
  decide({ class: failureClass, effect, retryAfterMs }, situation(more));

test.each([
  ['validation', 'validation_failed'],
  ['permission', 'permission_denied'],
  ['media_processing_failed', 'media_failed'],
  ['duplicate', 'duplicate_content'],
] as const)('%s ends the delivery with %s', (failureClass, errorType) => {
  expect(after(failureClass)).toEqual({ kind: 'fail', errorType });
});

test('an expired token is refreshed once', () => {
  expect(after('token_expired')).toEqual({ kind: 'refresh_token' });
  expect(after('token_expired', { refreshed: true })).toEqual({ kind: 'fail', errorType: 'token_expired' });
});

test('"duplicate" after a commit whose response was lost is a hint that it succeeded', () => {
  expect(after('duplicate', { committedBefore: true })).toEqual({ kind: 'find_published' });
});

test('a delivery waits for a rate limit as long as the platform says, for up to 25 hours', () => {
  expect(after('rate_limited', {}, 90_000)).toEqual({ kind: 'retry', inMs: 90_000 });
  expect(after('rate_limited')).toEqual({ kind: 'retry', inMs: 60_000 });
  expect(after('rate_limited', { failures: 4 }, 1_000)).toEqual({ kind: 'retry', inMs: 16_000 });
  expect(after('rate_limited', { dueForMs: 60_000 }, 24 * HOUR_MS)).toEqual({ kind: 'retry', inMs: 24 * HOUR_MS });
  expect(after('rate_limited', { dueForMs: 25 * HOUR_MS })).toEqual({ kind: 'fail', errorType: 'rate_limited' });
});

test('a temporary failure is retried ten times after growing delays', () => {
  expect([0, 1, 2, 8].map((failures) => after('transient', { failures }))).toEqual(
    [1_000, 2_000, 4_000, 256_000].map((inMs) => ({ kind: 'retry', inMs })),
  );
  expect(after('transient', { failures: 2 }, 30_000)).toEqual({ kind: 'retry', inMs: 30_000 });
  expect(after('transient', { failures: 8 }, 30_000)).toEqual({ kind: 'retry', inMs: 256_000 });
  expect(after('transient', { failures: 9 })).toEqual({ kind: 'fail', errorType: 'platform_unavailable' });
});

test('calls that cannot be sent are retried until the post is an hour late, and at least ten times', () => {
  const unsent = (failures: number, dueForMs: number) =>
    after('transient', { failures, unsent: failures, dueForMs }, undefined, 'not_sent').kind;
  expect(unsent(30, HOUR_MS)).toBe('retry');
  expect(unsent(30, HOUR_MS + 1)).toBe('fail');
  expect(unsent(8, 2 * HOUR_MS)).toBe('retry');
  expect(unsent(9, 2 * HOUR_MS)).toBe('fail');
});

test('calls that were not sent do not count as retries of calls that were', () => {
  expect(after('transient', { failures: 30, unsent: 22 }).kind).toBe('retry');
  expect(after('transient', { failures: 30, unsent: 21 }).kind).toBe('fail');
});
