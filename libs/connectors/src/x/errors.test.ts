import { xFailure } from './errors.ts';

const problems = 'https://api.twitter.com/2/problems';

test.each([
  [401, 'about:blank', 'Unauthorized', 'token_expired', 'rejected'],
  [403, `${problems}/client-forbidden`, 'No', 'permission', 'rejected'],
  [403, `${problems}/not-authorized-for-resource`, 'No', 'permission', 'rejected'],
  [403, 'about:blank', 'You are not permitted to access this feature', 'permission', 'rejected'],
  [403, 'about:blank', 'You are not permitted to perform this action.', 'permission', 'rejected'],
  [403, 'about:blank', 'You are not allowed to create a Tweet with duplicate content.', 'duplicate', 'rejected'],
  [400, `${problems}/invalid-request`, 'One or more parameters are invalid', 'validation', 'rejected'],
  [400, 'about:blank', 'maximum of 4 items', 'validation', 'rejected'],
  [404, 'about:blank', 'Not Found', 'validation', 'rejected'],
  [403, `${problems}/unsupported-authentication`, 'Unsupported Authentication', 'permission', 'rejected'],
  [403, 'about:blank', 'Reply to this conversation is not allowed.', 'permission', 'rejected'],
  [403, `${problems}/user-suspended`, 'Your account is suspended.', 'permission', 'rejected'],
  [400, `${problems}/client-forbidden`, 'No', 'permission', 'rejected'],
  [400, 'about:blank', 'at most one cashtag is allowed', 'validation', 'rejected'],
  [402, `${problems}/credits`, 'CreditsDepleted', 'permission', 'rejected'],
  [429, 'about:blank', 'Too Many Requests', 'rate_limited', 'rejected'],
  [403, `${problems}/rate-limit-exceeded`, 'Slow down', 'rate_limited', 'rejected'],
  [403, `${problems}/usage-capped`, 'Monthly cap', 'rate_limited', 'rejected'],
  [429, `${problems}/usage-capped`, 'Monthly cap', 'rate_limited', 'rejected'],
  [500, 'about:blank', 'Oops', 'transient', 'unknown'],
  [502, 'about:blank', 'Bad gateway', 'transient', 'unknown'],
  [503, 'about:blank', 'Over capacity', 'transient', 'unknown'],
  [504, 'about:blank', 'Too late', 'transient', 'unknown'],
  [302, '', '', 'transient', 'unknown'],
])('status %d, type %s, "%s" is %s, %s', (status, type, detail, failureClass, effect) => {
  const failure = xFailure({ status, headers: {}, json: { type, title: 'T', detail, status }, text: '' });
  expect(failure).toMatchObject({ class: failureClass, effect, ...(detail && { message: detail }) });
});

test('the message says what is wrong with the request', () => {
  const detail = 'One or more parameters to your request was invalid.';
  const errors = [{ parameters: {}, message: 'media.media_ids: there must be a maximum of 4 items in the array' }];
  const json = { type: `${problems}/invalid-request`, title: 'Invalid Request', detail, errors, status: 400 };
  expect(xFailure({ status: 400, headers: {}, json, text: '' })).toMatchObject({
    class: 'validation',
    message: `${detail} ${errors[0]?.message}`,
  });
});

const limited = (headers: Record<string, string>, type = 'about:blank') =>
  xFailure({ status: 429, headers, json: { type }, text: '' }).retryAfterMs;

test("a rate limit resets at the time that X names, by X's clock", () => {
  const reset = String(Date.parse('2026-11-21T10:03:00Z') / 1_000);
  expect(limited({ 'x-rate-limit-reset': reset, date: 'Sat, 21 Nov 2026 10:00:00 GMT' })).toBe(180_000);
  expect(limited({ 'x-rate-limit-reset': reset, date: 'Wed, 18 Nov 2026 10:00:00 GMT' })).toBe(15 * 60_000);
  expect(limited({})).toBe(15 * 60_000);
  expect(limited({}, `${problems}/usage-capped`)).toBe(24 * 3_600_000);
});

test.each([401, 403, 404, 429])('status %d without a problem of X is from a proxy: the outcome of the request is unknown', (status) => {
  expect(xFailure({ status, headers: {}, json: undefined, text: '<html>' }).effect).toBe('unknown');
});

test('depleted credits are for operators', () => {
  expect(xFailure({ status: 402, headers: {}, json: { title: 'CreditsDepleted' }, text: '' }).detail).toMatchObject({
    operator: 'credits_depleted',
  });
});
