import { googleFailure } from '../google/google-failure.ts';
import { rules } from './errors.ts';

const failed = (status: number, error: object, headers = {}) =>
  googleFailure({ status, headers, json: { error: { code: status, message: 'Sorry', ...error } }, text: '' }, rules);
const info = (reason: string, limit?: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  ...(limit !== undefined && { metadata: { quota_limit_value: limit } }),
});

test.each([
  [401, { status: 'UNAUTHENTICATED' }, 'token_expired', 'rejected', undefined],
  [400, { message: 'invalid_grant', errors: [{ reason: 'invalid_grant' }] }, 'token_expired', 'rejected', undefined],
  [403, { status: 'PERMISSION_DENIED' }, 'permission', 'rejected', undefined],
  [403, { status: 'PERMISSION_DENIED', details: [info('SERVICE_DISABLED')] }, 'permission', 'rejected', undefined],
  [403, { errors: [{ reason: 'userRateLimitExceeded' }] }, 'rate_limited', 'rejected', 60_000],
  [400, { status: 'INVALID_ARGUMENT' }, 'validation', 'rejected', undefined],
  [400, { status: 'FAILED_PRECONDITION' }, 'validation', 'rejected', undefined],
  [404, { status: 'NOT_FOUND' }, 'validation', 'rejected', undefined],
  [409, { status: 'ALREADY_EXISTS' }, 'duplicate', 'rejected', undefined],
  [409, { status: 'ABORTED' }, 'transient', 'rejected', undefined],
  [409, {}, 'duplicate', 'rejected', undefined],
  [429, { status: 'RESOURCE_EXHAUSTED' }, 'rate_limited', 'rejected', 60_000],
  [429, { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '12s' }] }, 'rate_limited', 'rejected', 12_000],
  [429, { status: 'RESOURCE_EXHAUSTED', details: [info('RATE_LIMIT_EXCEEDED', '300')] }, 'rate_limited', 'rejected', 60_000],
  [429, { status: 'RESOURCE_EXHAUSTED', details: [info('RATE_LIMIT_EXCEEDED', '0')] }, 'permission', 'rejected', undefined],
  [429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded: quota 0 QPM' }, 'permission', 'rejected', undefined],
  [500, { status: 'INTERNAL' }, 'transient', 'unknown', undefined],
  [503, { status: 'UNAVAILABLE' }, 'transient', 'unknown', undefined],
  [504, { status: 'DEADLINE_EXCEEDED' }, 'transient', 'unknown', undefined],
  [200, { code: 500, status: 'INTERNAL' }, 'transient', 'unknown', undefined],
])('%d %j is %s, %s, to wait %s', (status, error, failureClass, effect, retryAfterMs) => {
  const failure = failed(status, error);
  expect(failure).toMatchObject({ class: failureClass, effect });
  expect(failure.retryAfterMs).toBe(retryAfterMs);
});

test.each([
  ['a page', undefined],
  ['half a JSON', undefined],
  ['JSON of something else', { ok: false }],
])('%s is not a response of the API: the outcome is unknown', (_what, json) => {
  expect(googleFailure({ status: 404, headers: {}, json, text: '<html>' }, rules)).toMatchObject({ class: 'transient', effect: 'unknown' });
});

test('what Google says about a field reaches the caller', () => {
  const details = [
    {
      '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
      errorDetails: [{ code: 1000, message: 'Fetching image failed.' }],
    },
  ];
  const failure = failed(400, { message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT', details });
  expect(failure).toMatchObject({ class: 'validation', message: 'Request contains an invalid argument. Fetching image failed.' });
});

test('an API that is not enabled for our project is for operators', () => {
  expect(failed(429, { details: [info('RATE_LIMIT_EXCEEDED', '0')] }).detail).toMatchObject({ operator: 'api_not_approved' });
  expect(failed(403, { details: [info('SERVICE_DISABLED')] }).detail).toMatchObject({ operator: 'api_not_enabled' });
});
