import { capabilitiesOf } from './capabilities.ts';

const CONNECTED = 'INTEGRATION_STATUS_CONNECTED';
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'];

test('an account with all scopes can do all that its platform offers', () => {
  const all = capabilitiesOf({ platform: 'x', account_id: '1', scopes: SCOPES, status: CONNECTED });
  expect(all.map(({ name, available }) => [name, available])).toEqual([
    ['publish', true],
    ['first_comment', true],
    ['account_stats', true],
    ['post_stats', true],
    ['drafts', false],
  ]);
});

test('what was not granted is named', () => {
  const scopes = SCOPES.filter((scope) => scope !== 'media.write');
  expect(capabilitiesOf({ platform: 'x', account_id: '1', scopes, status: CONNECTED })[0]).toEqual({
    name: 'publish',
    available: false,
    reason: 'missing_scope',
    missingScopes: ['media.write'],
  });
});

test.each([
  ['INTEGRATION_STATUS_EXPIRED', 'token_expired'],
  ['INTEGRATION_STATUS_DISCONNECTED', 'disconnected'],
] as const)('an account that is %s can do nothing: %s', (status, reason) => {
  const all = capabilitiesOf({ platform: 'x', account_id: '1', scopes: SCOPES, status });
  const offered = all.filter(({ name }) => name !== 'drafts');
  expect(offered.every((one) => !one.available && one.reason === reason)).toBe(true);
});

test('a platform that a newer version connected has nothing that this one can do', () => {
  const all = capabilitiesOf({ platform: 'myspace' as 'x', account_id: '1', scopes: [], status: CONNECTED });
  expect(all.map(({ reason }) => reason)).toEqual(Array(5).fill('not_supported'));
});

test("what nobody is asked for is no missing scope: LinkedIn's statistics of members", () => {
  const account = { platform: 'linkedin', account_id: 'urn:li:person:1', scopes: [], status: CONNECTED } as const;
  expect(capabilitiesOf(account).map(({ name, reason }) => [name, reason])).toEqual([
    ['publish', 'missing_scope'],
    ['first_comment', 'missing_scope'],
    ['account_stats', 'not_supported'],
    ['post_stats', 'not_supported'],
    ['drafts', 'not_supported'],
  ]);
});

test('of several ways to sign in each has scopes of its own', () => {
  const scopes = ['instagram_business_basic', 'instagram_business_content_publish'];
  const account = { platform: 'instagram', account_id: '1', scopes, status: CONNECTED } as const;
  expect(capabilitiesOf({ ...account, login: 'instagram' }).slice(0, 2)).toMatchObject([
    { name: 'publish', available: true },
    { name: 'first_comment', missingScopes: ['instagram_business_manage_comments'] },
  ]);
  // Rows of older versions name no login: it was Facebook's.
  expect(capabilitiesOf(account)[0]).toMatchObject({ name: 'publish', missingScopes: ['instagram_content_publish'] });
});
