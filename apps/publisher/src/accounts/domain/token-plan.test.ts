import { accessEndsAt, planTokens } from './token-plan.ts';

const AT = new Date('2026-08-06T00:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const inMs = (date: Date | undefined) => date && date.getTime() - AT.getTime();

test.each([
  ['a tenth of a lifetime of 60 days before its end', 60 * DAY, 54 * DAY],
  ['a tenth of two hours before its end', 120 * MINUTE, 108 * MINUTE],
  ['five minutes before the end of half an hour', 30 * MINUTE, 25 * MINUTE],
  ['at half of a lifetime that is shorter than that', 4 * MINUTE, 2 * MINUTE],
])('a refreshable token is checked %s', (_when, expiresInMs, checkedInMs) => {
  const plan = planTokens(AT, { expiresInMs }, true);
  expect(plan.status).toBe('INTEGRATION_STATUS_CONNECTED');
  expect(inMs(plan.expiresAt)).toBe(expiresInMs);
  expect(inMs(plan.checkAt)).toBe(checkedInMs);
});

test('a token that only the person can renew is checked a week before its end, and at its end', () => {
  const early = planTokens(AT, { expiresInMs: 60 * DAY }, false);
  expect([early.status, inMs(early.checkAt)]).toEqual(['INTEGRATION_STATUS_CONNECTED', 53 * DAY]);
  const late = planTokens(AT, { expiresInMs: 6 * DAY }, false);
  expect([late.status, inMs(late.checkAt)]).toEqual(['INTEGRATION_STATUS_EXPIRING', 6 * DAY]);
  expect([inMs(early.reconnectBy), inMs(late.reconnectBy)]).toEqual([60 * DAY, 6 * DAY]);
});

test.each([true, false])('a token that does not expire is never checked (refreshable: %s)', (refreshable) => {
  expect(planTokens(AT, {}, refreshable)).toEqual({ status: 'INTEGRATION_STATUS_CONNECTED' });
});

describe('an expiring refresh token', () => {
  const lasting = (refreshExpiresInMs: number, expiresInMs?: number) =>
    planTokens(AT, { refreshExpiresInMs, ...(expiresInMs !== undefined && { expiresInMs }) }, true);

  test('does not matter while the access token expires long before it', () => {
    const { status, checkAt, reconnectBy } = lasting(365 * DAY, 60 * DAY);
    expect([status, inMs(checkAt), inMs(reconnectBy)]).toEqual(['INTEGRATION_STATUS_CONNECTED', 54 * DAY, 365 * DAY]);
  });

  test('is used a week before it expires if nothing else would use it', () => {
    const { status, checkAt, expiresAt } = lasting(60 * DAY);
    expect([status, inMs(checkAt), expiresAt]).toEqual(['INTEGRATION_STATUS_CONNECTED', 53 * DAY, undefined]);
    expect(inMs(lasting(30 * DAY, 60 * DAY).checkAt)).toBe(23 * DAY);
  });

  test('is announced in its last week; tokens that can be renewed until then are renewed', () => {
    const { status, checkAt } = lasting(7 * DAY, 60 * MINUTE);
    expect([status, inMs(checkAt)]).toEqual(['INTEGRATION_STATUS_EXPIRING', 54 * MINUTE]);
    expect(lasting(6 * DAY)).toMatchObject({ status: 'INTEGRATION_STATUS_EXPIRING', reconnectBy: new Date(AT.getTime() + 6 * DAY) });
    expect(lasting(6 * DAY).checkAt).toBeUndefined();
  });
});

test.each([
  ['cannot be renewed', { refreshable: false, status: 'INTEGRATION_STATUS_CONNECTED' }, true],
  ['could not be extended', { refreshable: true, status: 'INTEGRATION_STATUS_EXPIRING' }, true],
  ['may still be extended', { refreshable: true, status: 'INTEGRATION_STATUS_CONNECTED' }, false],
  ['were stored by a version that did not note it', { status: 'INTEGRATION_STATUS_CONNECTED' }, false],
] as const)('the end of access is certain or not for tokens that %s', (_what, account, isCertain) => {
  const reconnect_by = new Date('2026-10-01T00:00:00Z');
  expect(accessEndsAt({ ...account, reconnect_by })).toEqual(isCertain ? reconnect_by : undefined);
});
