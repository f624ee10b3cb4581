import { createPlatformLimits } from './platform-limits.ts';

const MOST = 48;
const limits = () => createPlatformLimits({ most: MOST, deadlineScale: 1 });
const response = (one: ReturnType<typeof limits>, isHealthy: boolean, times: number) => {
  for (let index = 0; index < times; index++) one.onCall('x', false).end(isHealthy);
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('the limit of a failing platform falls, and grows again with its responses', () => {
  const one = limits();
  response(one, false, 1);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([24, false]);
  response(one, false, 20);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([2, true]);
  expect([one.of('facebook'), one.isInTrouble('facebook')]).toEqual([MOST, false]);
  response(one, true, 10);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([12, false]);
  response(one, true, 1_000);
  expect(one.of('x')).toBe(MOST);
});

test('the limit of a platform that does not respond falls before its calls time out, and stays low while they wait', () => {
  const one = limits();
  const calls = Array.from({ length: MOST }, () => one.onCall('x', false));
  jest.advanceTimersByTime(9_000);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([MOST, false]);
  jest.advanceTimersByTime(2_000);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([2, true]);
  jest.advanceTimersByTime(3600_000);
  expect(one.isInTrouble('x')).toBe(true);
  for (const call of calls) call.end(true);
  // A response this late is not a sign of health, but the passing of time is.
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([MOST, false]);
});

test('a slow video upload does not lower the limit while it makes progress', () => {
  const one = limits();
  const upload = one.onCall('youtube', true);
  for (let seconds = 0; seconds < 3600; seconds += 15) {
    jest.advanceTimersByTime(15_000);
    upload.progress();
  }
  expect(one.of('youtube')).toBe(MOST);
  jest.advanceTimersByTime(21_000);
  expect(one.of('youtube')).toBe(MOST / 2);
  // A response this late is not a sign of health.
  upload.progress();
  upload.end(true);
  expect(one.of('youtube')).toBe(MOST / 2);
});

test('a platform that is not called recovers after a minute, unless its circuit breaker is open', () => {
  const one = limits();
  response(one, false, 10);
  jest.advanceTimersByTime(59_000);
  expect(one.isInTrouble('x')).toBe(true);
  jest.advanceTimersByTime(2_000);
  expect([one.of('x'), one.isInTrouble('x')]).toEqual([MOST, false]);
  one.onBreakerChange('x', true);
  expect(one.isInTrouble('x')).toBe(true);
  one.onBreakerChange('x', false);
  expect(one.isInTrouble('x')).toBe(false);
});
