import { FanfareError } from './fanfare-error.ts';
import { retryDelayMs } from './retry.ts';

const get = new Request('http://x/');
const patch = new Request('http://x/', { method: 'PATCH' });
const post = new Request('http://x/', { method: 'POST' });
const keyed = new Request('http://x/', { method: 'POST', headers: { 'Idempotency-Key': 'k' } });
const failed = (status?: number, retryAfterSeconds?: number) => new FanfareError('x', { code: 'x', status, retryAfterSeconds });

test.each([
  ['a read that failed there', failed(502), get, true],
  ['a read without a response', failed(), get, true],
  ['a create with a key', failed(500), keyed, true],
  ['a create without one', failed(500), post, false],
  ['an edit without a response', failed(), patch, false],
  ['an edit that exceeded a rate limit', failed(429, 1), patch, true],
  ['a mistake of the caller', failed(404), get, false],
  ['a quota that no window resets', failed(429), keyed, false],
  ['a storage that is full', failed(429, 86_400), keyed, false],
  ['a window of an hour', failed(429, 3600), get, false],
])('%s', (_name, error, request, again) => expect(retryDelayMs(error, request, 0) !== undefined).toBe(again));

test('waits longer each time, at least as long as the API requires, and not all at once', () => {
  expect([0, 1, 2].map((attempt) => retryDelayMs(failed(500), get, attempt, 1))).toEqual([500, 1000, 2000]);
  expect(retryDelayMs(failed(500), get, 0, 0)).toBe(250);
  expect(retryDelayMs(failed(429, 7), get, 0, 0)).toBe(7000);
});
