import { graphFailure } from '../graph/graph-failure.ts';
import { rules } from './errors.ts';

test.each([
  [190, 463, '', false, 'token_expired', 'rejected'],
  [100, undefined, 'The session has been invalidated', false, 'token_expired', 'rejected'],
  [100, 33, '', true, 'token_expired', 'rejected'],
  [100, 33, '', false, 'validation', 'rejected'],
  [10, undefined, '', false, 'permission', 'rejected'],
  [200, undefined, '', false, 'permission', 'rejected'],
  [100, undefined, 'The user is not an Instagram Business', false, 'permission', 'rejected'],
  [25, 2207050, '', false, 'permission', 'rejected'],
  [-2, 2207003, '', false, 'transient', 'rejected'],
  [9004, 2207052, '', false, 'transient', 'rejected'],
  [100, 2207077, '', false, 'transient', 'rejected'],
  [-2, 2207020, '', false, 'transient', 'rejected'],
  [24, 2207008, '', false, 'transient', 'rejected'],
  [24, 2207006, '', false, 'transient', 'rejected'],
  [-1, 2207001, '', false, 'transient', 'unknown'],
  [-1, 2207032, '', false, 'transient', 'unknown'],
  [-1, 2207053, '', false, 'transient', 'unknown'],
  [100, 2207082, '', false, 'transient', 'unknown'],
  [1, undefined, 'An unknown error has occurred', false, 'transient', 'unknown'],
  [2, undefined, '', false, 'transient', 'unknown'],
  [1, 2207057, '', false, 'validation', 'rejected'],
  [100, 2207023, '', false, 'validation', 'rejected'],
  [100, 2207028, '', false, 'validation', 'rejected'],
  [100, 2207040, '', false, 'validation', 'rejected'],
  [36000, 2207004, '', false, 'validation', 'rejected'],
  [36001, 2207005, '', false, 'validation', 'rejected'],
  [36003, 2207009, '', false, 'validation', 'rejected'],
  [36004, 2207010, '', false, 'validation', 'rejected'],
  [100, 2207035, '', false, 'validation', 'rejected'],
  [100, 2207036, '', false, 'validation', 'rejected'],
  [100, 2207037, '', false, 'validation', 'rejected'],
  [100, 2207081, '', false, 'validation', 'rejected'],
  [352, 2207026, '', false, 'media_processing_failed', 'rejected'],
  [9007, 2207027, '', false, 'transient', 'rejected'],
  [9, 2207042, '', false, 'rate_limited', 'rejected'],
  [4, 2207051, '', false, 'rate_limited', 'unknown'],
  [4, undefined, '', false, 'rate_limited', 'rejected'],
  [17, undefined, '', false, 'rate_limited', 'rejected'],
  [32, undefined, '', false, 'rate_limited', 'rejected'],
  [613, undefined, '', false, 'rate_limited', 'rejected'],
  [80002, undefined, '', false, 'rate_limited', 'rejected'],
])('code %d, subcode %s, "%s" (on the account: %s) is %s, %s', (code, error_subcode, message, onAccount, failureClass, effect) => {
  const json = { error: { code, error_subcode, message } };
  const failure = graphFailure({ status: 400, headers: {}, json, text: '' }, rules, onAccount);
  expect(failure).toMatchObject({ class: failureClass, effect });
});

test.each([
  ['media that is not ready yet', 9007, 2207027, 10_000],
  ['the quota of a day', 9, 2207042, 3_600_000],
  ['an action taken for spam', 4, 2207051, 6 * 3_600_000],
  ['a window without an end that is known', 80002, undefined, 3_600_000],
])('the wait after %s', (_what, code, error_subcode, retryAfterMs) => {
  const json = { error: { code, error_subcode, message: 'no' } };
  expect(graphFailure({ status: 400, headers: {}, json, text: '' }, rules)).toMatchObject({ retryAfterMs });
});
