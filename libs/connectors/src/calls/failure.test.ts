import { PlatformFailure } from './failure.ts';

test.each([
  ['access_token=EAABsbCS1234567890abc&x=1', 'access_token=***&x=1'],
  ['{"access_token": "abcdefghij0123456789"}', '{"access_token": "***"}'],
  ['Malformed access token EAABsbCS1234567890abc', 'Malformed access token ***'],
  ['Authorization: Bearer abcdefghij0123456789', 'Authorization: Bearer ***'],
  ['app 123456789|abcdefghijklmnopqrst', 'app ***'],
  ['(#100) code: 190, subcode=463', '(#100) code: 190, subcode=463'],
])('tokens in "%s" are masked in every part of a failure', (text, clean) => {
  const cause = Object.assign(new TypeError(text), { request: { headers: text } });
  const failure = new PlatformFailure('transient', text, { effect: 'unknown', detail: { text }, cause });
  expect(failure.message).toBe(clean);
  expect(failure.detail).toEqual({ text: clean });
  expect(failure.cause).toMatchObject({ name: 'TypeError', message: clean });
  expect(failure.cause).not.toHaveProperty('request');
});
