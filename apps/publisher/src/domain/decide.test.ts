import type { FailureClass } from '@fanfare/connectors';
import { decide, type Situation } from './decide.ts';

const situation = (more: Partial<Situation> = {}): Situation => ({
  failures: 0,
  refreshed: false,
  committedBefore: false,
  dueForMs: 0,
  jitter: 1,
  ...more,
});
const after = (failureClass: FailureClass, more: Partial<Situation> = {}, retryAfterMs?: number) =>
  decide({ class: failureClass, retryAfterMs }, situation(more));

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

test('"duplicate" after a commit whose answer was lost is a hint that it succeeded', () => {
  expect(after('duplicate', { committedBefore: true })).toEqual({ kind: 'find_published' });
});

test('a rate limit is waited for, as long as the platform says, until a day has passed', () => {
  expect(after('rate_limited', {}, 90_000)).toEqual({ kind: 'retry', inMs: 90_000 });
  expect(after('rate_limited')).toEqual({ kind: 'retry', inMs: 60_000 });
  expect(after('rate_limited', { failures: 4 }, 1_000)).toEqual({ kind: 'retry', inMs: 16_000 });
  expect(after('rate_limited', { dueForMs: 24 * 3600_000 })).toEqual({ kind: 'fail', errorType: 'rate_limited' });
});

test('what passes is tried again after growing pauses, ten times', () => {
  expect([0, 1, 2, 8].map((failures) => after('transient', { failures }))).toEqual(
    [1_000, 2_000, 4_000, 256_000].map((inMs) => ({ kind: 'retry', inMs })),
  );
  expect(after('transient', { failures: 2 }, 30_000)).toEqual({ kind: 'retry', inMs: 30_000 });
  expect(after('transient', { failures: 8 }, 30_000)).toEqual({ kind: 'retry', inMs: 256_000 });
  expect(after('transient', { failures: 9 })).toEqual({ kind: 'fail', errorType: 'platform_unavailable' });
});
