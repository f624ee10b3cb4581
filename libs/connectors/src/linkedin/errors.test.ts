import { linkedinFailure } from './errors.ts';

const failureOf = (status: number, json: unknown, headers: Record<string, string> = {}) =>
  linkedinFailure({ status, headers, json, text: '' });

test.each([
  [401, { code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65_602 }, 'Expired', 'token_expired', 'rejected'],
  [401, { code: 'REVOKED_ACCESS_TOKEN', serviceErrorCode: 65_601 }, 'Revoked by the user', 'token_expired', 'rejected'],
  [401, { code: 'INVALID_ACCESS_TOKEN', serviceErrorCode: 65_600 }, 'Invalid', 'token_expired', 'rejected'],
  [401, { serviceErrorCode: 65_604 }, 'Unauthorized', 'token_expired', 'rejected'],
  [400, { serviceErrorCode: 65_605 }, 'Unauthorized', 'token_expired', 'rejected'],
  [403, { code: 'ACCESS_DENIED' }, 'Not enough permissions to access: posts.CREATE.20260901', 'permission', 'rejected'],
  [403, { serviceErrorCode: 65_604 }, 'Access to resource denied', 'permission', 'rejected'],
  [400, {}, 'Not enough permissions to access', 'permission', 'rejected'],
  [400, { code: 'MISSING_FIELD' }, 'author is required', 'validation', 'rejected'],
  [400, { code: 'FIELD_LENGTH_TOO_LONG' }, 'commentary is too long', 'validation', 'rejected'],
  [400, { code: 'ILLEGAL_ARGUMENT' }, 'Illegal', 'validation', 'rejected'],
  [400, { code: 'INVALID_URN_TYPE' }, 'Bad URN', 'validation', 'rejected'],
  [422, {}, 'ERROR :: /colour :: unrecognized field found but not allowed', 'validation', 'rejected'],
  [422, {}, 'ERROR :: /author :: field is required but not found', 'validation', 'rejected'],
  [400, { code: 'MEDIA_ASSET_WAITING_UPLOAD' }, 'Waiting', 'transient', 'rejected'],
  [400, { code: 'MEDIA_ASSET_PROCESSING' }, 'Processing', 'transient', 'rejected'],
  [400, { code: 'MEDIA_ASSET_PROCESSING_FAILED' }, 'Bad codec', 'media_processing_failed', 'rejected'],
  [422, { code: 'DUPLICATE_POST' }, 'Duplicate post is detected', 'duplicate', 'rejected'],
  [422, { errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] } }, 'Repeats urn:li:share:1', 'duplicate', 'rejected'],
  [422, {}, 'Content is a duplicate of urn:li:share:1', 'duplicate', 'rejected'],
  [429, { code: 'TOO_MANY_REQUESTS' }, 'Resource level throttle APPLICATION DAY limit', 'rate_limited', 'rejected'],
  [404, { code: 'NOT_FOUND' }, 'Gone', 'validation', 'rejected'],
  [409, { code: 'CONFLICT' }, 'Conflict', 'transient', 'rejected'],
  [400, {}, 'Unable to obtain activity', 'transient', 'rejected'],
  [500, {}, 'Unable to obtain activity', 'transient', 'unknown'],
  [500, { code: 'INTERNAL_SERVER_ERROR' }, 'Oops', 'transient', 'unknown'],
  [503, {}, 'Busy', 'transient', 'unknown'],
  [302, {}, '', 'transient', 'unknown'],
])('status %d, %j, "%s" is %s, %s', (status, more, message, failureClass, effect) => {
  expect(failureOf(status, { status, message, ...more })).toMatchObject({
    class: failureClass,
    effect,
    ...(message && { message }),
  });
});

test.each([
  [426, 'NONEXISTENT_VERSION', 'version_ended'],
  [400, 'VERSION_MISSING', 'version_missing'],
])('status %d, %s is for operators', (status, code, operator) => {
  expect(failureOf(status, { status, code, message: 'Requested version is not active' })).toMatchObject({
    class: 'validation',
    detail: { status, code, operator },
  });
});

test("a daily quota resets at midnight UTC of LinkedIn's clock, a burst limit after minutes, unless LinkedIn names the wait", () => {
  const date = 'Sat, 21 Nov 2026 21:30:00 GMT';
  const wait = (message: string, headers: Record<string, string>) => failureOf(429, { message }, headers).retryAfterMs;
  expect(wait('MEMBER DAY limit for calls to this resource is reached', { date })).toBe(2.5 * 3_600_000);
  expect(wait('Too many calls in a minute', { date })).toBe(5 * 60_000);
  expect(wait('Slow down', { date, 'retry-after': '7' })).toBe(7_000);
  expect(wait('Slow down', {})).toBe(24 * 3_600_000);
});

test.each([401, 403, 404, 429])(
  'status %d without an error of LinkedIn is a proxy in between: what became of the call is unknown',
  (status) => {
    expect(failureOf(status, undefined).effect).toBe('unknown');
  },
);

test('the name of a Java class is not shown to users', () => {
  const message =
    'com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of urn:li:share:7141138937766391808';
  expect(failureOf(422, { message }).message).toBe('Content is a duplicate of urn:li:share:7141138937766391808');
});

test('a success that contains an error is a failure', () => {
  expect(failureOf(200, { status: 401, code: 'EXPIRED_ACCESS_TOKEN', message: 'Expired' })).toMatchObject({ class: 'token_expired' });
});
