import { planTokens } from './token-plan.ts';

const AT = new Date('2026-08-06T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const inMs = (date: Date | undefined) => date && date.getTime() - AT.getTime();

test.each([
  ['a tenth of a life of 60 days before its end', 60 * DAY, 54 * DAY],
  ['a tenth of two hours before its end', 120 * MINUTE, 108 * MINUTE],
  ['five minutes before the end of half an hour', 30 * MINUTE, 25 * MINUTE],
  ['at half of a life that is shorter than all this', 4 * MINUTE, 2 * MINUTE],
])('what can be refreshed is looked at %s', (_when, expiresInMs, checkedInMs) => {
  const plan = planTokens(AT, { expiresInMs }, true);
  expect(plan.status).toBe('INTEGRATION_STATUS_CONNECTED');
  expect(inMs(plan.expiresAt)).toBe(expiresInMs);
  expect(inMs(plan.checkAt)).toBe(checkedInMs);
});

test('what only the person can renew is looked at a week before its end, and then at its end', () => {
  const early = planTokens(AT, { expiresInMs: 60 * DAY }, false);
  expect([early.status, inMs(early.checkAt)]).toEqual(['INTEGRATION_STATUS_CONNECTED', 53 * DAY]);
  const late = planTokens(AT, { expiresInMs: 6 * DAY }, false);
  expect([late.status, inMs(late.checkAt)]).toEqual(['INTEGRATION_STATUS_EXPIRING', 6 * DAY]);
});

test.each([true, false])('what does not end is never looked at (refreshable: %s)', (refreshable) => {
  expect(planTokens(AT, {}, refreshable)).toEqual({ status: 'INTEGRATION_STATUS_CONNECTED' });
});
