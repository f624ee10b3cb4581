import { googleFailure, type GoogleRule, readGoogleError } from './google-failure.ts';

const response = (status: number, json: unknown, headers: Record<string, string> = {}) => ({ status, headers, json, text: '' });
const failed = (status: number, json: unknown, rules: readonly GoogleRule[] = []) => googleFailure(response(status, json), rules);

test('reads the reason of the older error format, and the status and details of the newer one', () => {
  expect(
    readGoogleError({ error: { code: 403, message: 'Over', errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } }),
  ).toMatchObject({
    message: 'Over',
    reason: 'quotaExceeded',
  });
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'RATE_LIMIT_EXCEEDED', domain: 'googleapis.com' },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' },
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'summary', description: 'too long' }] },
  ];
  expect(readGoogleError({ error: { code: 429, message: 'Slow', status: 'RESOURCE_EXHAUSTED', details } })).toEqual({
    message: 'Slow too long',
    status: 'RESOURCE_EXHAUSTED',
    reason: 'RATE_LIMIT_EXCEEDED',
    fields: ['summary'],
    retryDelayMs: 3_500,
    noQuota: false,
  });
});

test('the message contains the fields that the details name', () => {
  const words = (detail: object) => readGoogleError({ error: { message: 'Invalid argument.', details: [detail] } });
  const violation = { fieldViolations: [{ field: 'read_mask', description: 'Field is required' }] };
  expect(words(violation)).toMatchObject({ message: 'Invalid argument. Field is required', fields: ['read_mask'] });
  const myBusiness = {
    errorDetails: [
      { code: 2, field: 'topic_type', message: 'Topic type is required.' },
      { code: 1000, message: 'No image.' },
    ],
  };
  expect(words(myBusiness)).toMatchObject({ message: 'Invalid argument. Topic type is required. No image.', fields: ['topic_type'] });
});

test('distinguishes a quota of zero from an exhausted quota', () => {
  const rules: GoogleRule[] = [{ noQuota: true, class: 'permission' }];
  const limited = (limit: string) => ({
    error: { message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details: [{ metadata: { quota_limit_value: limit } }] },
  });
  expect(failed(429, limited('0'), rules).class).toBe('permission');
  expect(failed(429, limited('300'), rules).class).toBe('rate_limited');
});

test.each([
  [400, 'INVALID_ARGUMENT', 'validation', 'rejected'],
  [401, 'UNAUTHENTICATED', 'token_expired', 'rejected'],
  [403, 'PERMISSION_DENIED', 'permission', 'rejected'],
  [404, 'NOT_FOUND', 'validation', 'rejected'],
  [429, 'RESOURCE_EXHAUSTED', 'rate_limited', 'rejected'],
  [500, 'INTERNAL', 'transient', 'unknown'],
  [503, 'UNAVAILABLE', 'transient', 'unknown'],
  [200, 'INTERNAL', 'transient', 'unknown'],
])('without a rule of its own, %d %s is %s, %s', (status, rpc, failureClass, effect) => {
  const failure = failed(status, { error: { code: status, message: 'Sorry', status: rpc } });
  expect(failure).toMatchObject({ class: failureClass, effect, message: 'Sorry', detail: { status, rpc } });
});

test('the first rule that matches decides', () => {
  const rules: GoogleRule[] = [
    { http: 403, text: /quota 0/, class: 'permission', operator: 'access' },
    { reasons: ['b', 'c'], class: 'duplicate' },
    { status: 'ABORTED', class: 'transient', effect: 'rejected' },
  ];
  expect(failed(403, { error: { message: 'quota 0' } }, rules)).toMatchObject({ class: 'permission', detail: { operator: 'access' } });
  expect(failed(400, { error: { message: 'no', errors: [{ reason: 'c' }] } }, rules).class).toBe('duplicate');
  expect(failed(409, { error: { message: 'no', status: 'ABORTED' } }, rules)).toMatchObject({ class: 'transient', effect: 'rejected' });
});

test("the wait is that of Google's response, else that of the rule, else a minute", () => {
  const limited = (json: object, headers = {}, rules: GoogleRule[] = []) => googleFailure(response(429, json, headers), rules).retryAfterMs;
  const error = { message: 'Slow', status: 'RESOURCE_EXHAUSTED' };
  expect(limited({ error: { ...error, details: [{ retryDelay: '7s' }] } })).toBe(7_000);
  expect(limited({ error }, { 'retry-after': '9' })).toBe(9_000);
  expect(limited({ error }, {}, [{ class: 'rate_limited', delayMs: () => 5_000 }])).toBe(5_000);
  expect(limited({ error })).toBe(60_000);
});

test.each([undefined, {}, 'text'])('a body that is not an error of Google is from a proxy: the outcome is unknown', (json) => {
  expect(failed(403, json)).toMatchObject({ class: 'transient', effect: 'unknown' });
});
