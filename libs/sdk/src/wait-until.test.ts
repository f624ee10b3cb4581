import type { ResponseInfo } from './response-info.ts';
import { pollDelayMs } from './wait-until.ts';

const NOW = 'Thu, 06 Aug 2026 12:00:00 GMT';
const info = (remaining: number, resetsInS: number, date: string | undefined = NOW) =>
  ({
    headers: new Headers(date === undefined ? {} : { date }),
    rateLimit: { limit: 100, remaining, resetAt: new Date(Date.parse(NOW) + resetsInS * 1000) },
  }) as ResponseInfo;

test('looks less and less often, and not at the same moment as others', () => {
  expect([0, 1, 2, 20].map((attempt) => pollDelayMs(attempt, info(100, 60), 1))).toEqual([1000, 1500, 2250, 15_000]);
  expect(pollDelayMs(1, info(100, 60), 0)).toBe(750);
});

test.each([
  ['spreads the requests that are left over the time until there are more', info(4, 40), 10_000],
  ['waits for the next window when none is left', info(0, 40), 40_000],
  ['polls each minute at least when a window of a week is nearly used up', info(2, 400_000), 60_000],
  ['does not wait for a window that is over', info(0, -5), 1000],
  [
    'does without a response that shows no limits',
    { headers: new Headers(), rateLimit: { limit: 0, remaining: 0, resetAt: new Date(0) } },
    1000,
  ],
])('%s', (_name, response, expected) => expect(pollDelayMs(0, response as ResponseInfo, 1)).toBe(expected));
