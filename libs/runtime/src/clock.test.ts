import type * as clock from './clock.ts';

// A separate clock: the process's own is set by the databases that other tests use, and these tests must not set it.
const own: string = './clock.ts?own';
const { aheadMs, clockWarning, currentMs, currentTime, learnClock, movedClocks, now, realTime, syncClock } = (await import(
  own
)) as typeof clock;

const MINUTE_MS = 60_000;
/** Wider than any test takes. */
const CLOSE_MS = 10_000;
/** A response that took `tookMs`. */
const respond = (databaseTime: Date, tookMs = 1) => syncClock(databaseTime, performance.now() - tookMs);
const expectTime = (ms: number) => expect(Math.abs(currentMs() - ms)).toBeLessThan(CLOSE_MS);

test("uses this machine's clock before the first response of a database, and the database's afterwards", () => {
  expectTime(Date.now());
  expect(clockWarning()).toBeUndefined();
  respond(new Date(Date.now() - 10 * MINUTE_MS));
  expectTime(Date.now() - 10 * MINUTE_MS);
  expect(currentTime().getTime()).toBeLessThanOrEqual(currentMs());
  expect(clockWarning()).toContain('600 s ahead of');
});

test('of slow responses, the fastest one counts', () => {
  respond(new Date(Date.now() - 30 * MINUTE_MS));
  expectTime(Date.now() - 10 * MINUTE_MS);
});

test('a process that was suspended ignores the responses that it finds when it continues', () => {
  for (let response = 0; response < 5; response++) respond(new Date(Date.now() - 11 * MINUTE_MS), MINUTE_MS);
  expectTime(Date.now() - 10 * MINUTE_MS);
});

test('follows a database whose clock was set, forwards at once and backwards soon', () => {
  respond(new Date(Date.now() + 5 * MINUTE_MS));
  expectTime(Date.now() + 5 * MINUTE_MS);
  expect(clockWarning()).toContain('300 s behind');
  for (let response = 0; response < 3; response++) respond(new Date());
  expectTime(Date.now());
  expect(clockWarning()).toBeUndefined();
});

test('the test clock of an organization moves its time forward, never back, and that of no other one', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  learnClock('moved', HOUR_MS);
  expect(Math.abs(now('moved').getTime() - currentMs() - HOUR_MS)).toBeLessThan(CLOSE_MS);
  expect(aheadMs('moved')).toBe(HOUR_MS);
  for (const earlier of [MINUTE_MS, 0, -HOUR_MS, Number.NaN]) learnClock('moved', earlier);
  expect(aheadMs('moved')).toBe(HOUR_MS);
  learnClock('moved', 2 * HOUR_MS);
  expect(aheadMs('moved')).toBe(2 * HOUR_MS);
  expect(realTime('moved', now('moved')).getTime()).toBeLessThanOrEqual(currentMs());

  expectTime(Date.now());
  expect(Math.abs(now('other').getTime() - currentMs())).toBeLessThan(CLOSE_MS);
  expect(realTime('other', new Date(1))).toEqual(new Date(1));
  learnClock('other', 0);
  learnClock('', HOUR_MS);
  expect(movedClocks()).toEqual(['moved']);
});
