import { capabilitiesOf } from './capabilities.ts';

const CONNECTED = 'INTEGRATION_STATUS_CONNECTED';
const NO_APPS = { platforms: { baseUrl: undefined, apps: new Map(), timeoutMs: 1_000 } };
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'];

test('an account with all scopes has every capability of its platform', () => {
  const all = capabilitiesOf({ platform: 'x', account_id: '1', scopes: SCOPES, status: CONNECTED }, NO_APPS);
  expect(all.map(({ name, available }) => [name, available])).toEqual([
    ['publish', true],
    ['first_comment', true],
    ['account_stats', true],
    ['post_stats', true],
    ['drafts', false],
    ['unpublish', true],
  ]);
});

test('missing scopes are named', () => {
  const scopes = SCOPES.filter((scope) => scope !== 'media.write');
  expect(capabilitiesOf({ platform: 'x', account_id: '1', scopes, status: CONNECTED }, NO_APPS)[0]).toEqual({
    name: 'publish',
    available: false,
    reason: 'missing_scope',
    missingScopes: ['media.write'],
  });
});

test.each([
  ['INTEGRATION_STATUS_EXPIRED', 'token_expired'],
  ['INTEGRATION_STATUS_DISCONNECTED', 'disconnected'],
] as const)('an account that is %s has no capability: %s', (status, reason) => {
  const all = capabilitiesOf({ platform: 'x', account_id: '1', scopes: SCOPES, status }, NO_APPS);
  const offered = all.slice(0, 2);
  expect(offered.every((one) => !one.available && one.reason === reason)).toBe(true);
});

test('an account of a platform that only a newer version knows has no capabilities', () => {
  const all = capabilitiesOf({ platform: 'myspace' as 'x', account_id: '1', scopes: [], status: CONNECTED }, NO_APPS);
  expect(all.map(({ reason }) => reason)).toEqual(Array(6).fill('not_supported'));
});

test('a capability that the platform does not offer is unavailable, whatever was granted', () => {
  const scopes = ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write', 'drafts'];
  const account = { platform: 'pinterest', account_id: '1', scopes, status: CONNECTED } as const;
  expect(capabilitiesOf(account, NO_APPS).map(({ name, reason }) => [name, reason])).toEqual([
    ['publish', undefined],
    ['first_comment', 'not_supported'],
    ['account_stats', undefined],
    ['post_stats', undefined],
    ['drafts', 'not_supported'],
    ['unpublish', undefined],
  ]);
});

test('a scope that the operator does not request is not reported as missing, because reconnecting would not help', () => {
  const account = { platform: 'linkedin', account_id: 'urn:li:person:1', scopes: ['openid', 'profile'], status: CONNECTED } as const;
  const reasons = (scopes?: string[]) => {
    const app = { clientId: '1', clientSecret: '2', ...(scopes && { scopes }) };
    return capabilitiesOf(account, { platforms: { ...NO_APPS.platforms, apps: new Map([['linkedin', app]]) } }).map(({ reason }) => reason);
  };
  expect(reasons().slice(0, 2)).toEqual(['missing_scope', 'missing_scope']);
  expect(reasons(['openid', 'profile', 'w_member_social']).slice(0, 2)).toEqual(['missing_scope', 'not_supported']);
});

test('each login of a platform has its own scopes', () => {
  const scopes = ['instagram_business_basic', 'instagram_business_content_publish'];
  const account = { platform: 'instagram', account_id: '1', scopes, status: CONNECTED } as const;
  expect(capabilitiesOf({ ...account, login: 'instagram' }, NO_APPS).slice(0, 2)).toMatchObject([
    { name: 'publish', available: true },
    { name: 'first_comment', missingScopes: ['instagram_business_manage_comments'] },
  ]);
  // Rows of older versions name no login: it was Facebook's.
  expect(capabilitiesOf(account, NO_APPS)[0]).toMatchObject({ name: 'publish', missingScopes: ['instagram_content_publish'] });
});
