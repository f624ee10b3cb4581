import { pinterestFailure } from './errors.ts';

const failure = (status: number, json: unknown, headers: Record<string, string> = {}) =>
  pinterestFailure({ status, headers, json, text: '' });

test.each([
  [401, 2, 'Authentication failed.', 'token_expired', 'rejected'],
  [403, 29, 'You are not permitted to access that resource.', 'permission', 'rejected'],
  [403, 7, 'Not permitted.', 'permission', 'rejected'],
  [403, 4, 'Your application consumer type is not supported, please contact support.', 'permission', 'rejected'],
  [400, 1, "Invalid request: 'abc' does not match '^\\\\d+$'", 'validation', 'rejected'],
  [400, 1, 'Invalid request: items is too long, maxItems=5', 'validation', 'rejected'],
  [400, 235, 'cover_image_url: one cover is required', 'validation', 'rejected'],
  [400, 88, 'Sorry! We blocked this link because it may lead to spam.', 'validation', 'rejected'],
  [400, 235, 'Unable to reach the URL.', 'validation', 'rejected'],
  [404, 40, 'Board not found.', 'validation', 'rejected'],
  [404, 50, 'Pin not found.', 'validation', 'rejected'],
  [409, 0, 'This already exists.', 'duplicate', 'rejected'],
  [409, 0, 'Board section conflict.', 'transient', 'rejected'],
  [429, 8, 'You have exceeded your rate limit. Try again later.', 'rate_limited', 'rejected'],
  [408, 0, 'Request timed out.', 'transient', 'unknown'],
  [500, 11, 'Something went wrong.', 'transient', 'unknown'],
  [503, 0, 'Over capacity.', 'transient', 'unknown'],
])('status %d, code %d, "%s" is %s, %s', (status, code, message, failureClass, effect) => {
  const found = failure(status, { code, message });
  expect(found).toMatchObject({ class: failureClass, effect, message, detail: { status, code } });
  if (failureClass !== 'rate_limited') expect(found.retryAfterMs).toBeUndefined();
});

test('a rate limit resets after the seconds that Pinterest names, or else after a minute', () => {
  const limited = (headers: Record<string, string>) => failure(429, { code: 8, message: 'Slow down.' }, headers).retryAfterMs;
  expect(limited({ 'x-ratelimit-reset': '42' })).toBe(42_000);
  expect(limited({ 'x-ratelimit-reset': '0' })).toBe(1_000);
  expect(limited({ 'x-ratelimit-reset': '17, 17;w=60' })).toBe(17_000);
  expect(limited({ 'retry-after': '5' })).toBe(5_000);
  expect(limited({ 'x-ratelimit-reset': '1795255380' })).toBe(60_000);
  expect(limited({})).toBe(60_000);
});

test.each([
  ['a page', 403, undefined, 'transient'],
  ['a page', 404, undefined, 'transient'],
  ['a truncated response', 400, undefined, 'transient'],
  ['a response in other words', 401, { error: 'nope' }, 'transient'],
  ['a page', 429, undefined, 'rate_limited'],
])('%s with status %d is from a proxy: the outcome of the request is unknown', (_what, status, json, failureClass) => {
  expect(failure(status, json)).toMatchObject({ class: failureClass, effect: 'unknown' });
});
