import { youtubeFailure } from './errors.ts';

const DAY_MS = 24 * 3_600_000;
const failed = (status: number, reason: string, headers: Record<string, string> = {}) =>
  youtubeFailure({
    status,
    headers,
    json: { error: { code: status, message: 'Sorry', errors: [{ domain: 'youtube', reason, message: 'Sorry' }] } },
    text: '',
  });

test.each([
  [401, 'authError', 'token_expired', 'rejected'],
  [401, 'youtubeSignupRequired', 'permission', 'rejected'],
  [403, 'insufficientPermissions', 'permission', 'rejected'],
  [403, 'forbidden', 'permission', 'rejected'],
  [403, 'accountClosed', 'permission', 'rejected'],
  [403, 'commentsDisabled', 'permission', 'rejected'],
  [400, 'invalidTitle', 'validation', 'rejected'],
  [400, 'invalidDescription', 'validation', 'rejected'],
  [400, 'invalidTags', 'validation', 'rejected'],
  [400, 'invalidCategoryId', 'validation', 'rejected'],
  [400, 'invalidPublishAt', 'validation', 'rejected'],
  [400, 'invalidVideoMetadata', 'validation', 'rejected'],
  [400, 'mediaBodyRequired', 'validation', 'rejected'],
  [400, 'imageFormatUnsupported', 'validation', 'rejected'],
  [400, 'imageTooTall', 'validation', 'rejected'],
  [400, 'imageTooWide', 'validation', 'rejected'],
  [413, 'uploadTooLarge', 'validation', 'rejected'],
  [400, 'uploadLimitExceeded', 'rate_limited', 'rejected'],
  [403, 'uploadLimitExceeded', 'rate_limited', 'rejected'],
  [403, 'quotaExceeded', 'rate_limited', 'rejected'],
  [403, 'dailyLimitExceeded', 'rate_limited', 'rejected'],
  [403, 'rateLimitExceeded', 'rate_limited', 'rejected'],
  [403, 'userRateLimitExceeded', 'rate_limited', 'rejected'],
  [429, 'tooMany', 'rate_limited', 'rejected'],
  [404, 'videoNotFound', 'transient', 'rejected'],
  [500, 'backendError', 'transient', 'unknown'],
  [502, 'backendError', 'transient', 'unknown'],
  [503, 'backendError', 'transient', 'unknown'],
  [504, 'backendError', 'transient', 'unknown'],
])('%d %s is %s, %s', (status, reason, failureClass, effect) => {
  expect(failed(status, reason)).toMatchObject({
    class: failureClass,
    effect,
    message: expect.stringContaining('Sorry') as string,
    detail: { status, reason },
  });
});

test('a google.rpc status without a reason is classified too', () => {
  const json = { error: { code: 401, message: 'No', status: 'UNAUTHENTICATED' } };
  expect(youtubeFailure({ status: 401, headers: {}, json, text: '' }).class).toBe('token_expired');
});

test.each([
  ['in winter', 'Sat, 21 Nov 2026 10:00:00 GMT', 22],
  ['in summer', 'Tue, 21 Jul 2026 10:00:00 GMT', 21],
  ['on the day that the clocks go back', 'Sun, 01 Nov 2026 07:00:00 GMT', 25],
])("an exhausted quota resets at midnight in California, by Google's clock: %s", (_when, date, hours) => {
  for (const reason of ['quotaExceeded', 'dailyLimitExceeded', 'uploadLimitExceeded']) {
    expect(failed(403, reason, { date }).retryAfterMs).toBe(hours * 3_600_000);
  }
});

test('without that clock an exhausted quota is retried after an hour', () => {
  expect(failed(403, 'quotaExceeded').retryAfterMs).toBe(3_600_000);
  expect(failed(403, 'quotaExceeded').retryAfterMs).toBeLessThan(DAY_MS);
});

test('an exhausted quota of our project is for operators, that of a channel is not', () => {
  expect(failed(403, 'quotaExceeded').detail.operator).toBe('quota_exceeded');
  expect(failed(403, 'uploadLimitExceeded').detail.operator).toBeUndefined();
});

test.each([
  ['userRateLimitExceeded', 403, 1_000],
  ['tooMany', 429, 1_000],
  ['videoNotFound', 404, 20_000],
])('%s is retried later', (reason, status, retryAfterMs) => {
  expect(failed(status, reason).retryAfterMs).toBe(retryAfterMs);
});

test.each([
  ['a page', 403, undefined],
  ['half a response', 400, undefined],
  ['JSON that is none of the API', 400, {}],
])('%s is from a proxy: the outcome of the request is unknown', (_what, status, json) => {
  expect(youtubeFailure({ status, headers: {}, json, text: '<html>' })).toMatchObject({ class: 'transient', effect: 'unknown' });
});
