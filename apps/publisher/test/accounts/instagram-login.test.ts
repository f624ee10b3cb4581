import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// The second way to connect Instagram: without a Facebook Page, with its own hosts and app.
const DAY_MS = 24 * 3600_000;

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

type Call = ReturnType<typeof callAs>;
const aBusiness = () => callAs({ organizationId: newId(), businessId: newId() });
const begin = (login: string | undefined, call: Call, more: object = {}) =>
  publisher.client.beginConnection({ platform: 'instagram', redirectUri: publisher.redirectUri, login, ...more }, call);
async function connect(login: string | undefined, call = publisher.call, accountId?: string): Promise<Integration> {
  const { authorizeUrl } = await begin(login, call);
  const { integrations } = await publisher.client.completeConnection(await publisher.consent(authorizeUrl, accountId), call);
  const [integration] = integrations;
  if (!integration) throw new Error('Nothing was connected.');
  return integration;
}
const anAccount = async (username: string) =>
  connect('instagram', publisher.call, await publisher.sandbox.createAccount('instagram', username));
const get = async ({ id }: Integration) => {
  const { integration } = await publisher.client.getIntegration({ integrationId: id }, publisher.call);
  if (!integration) throw new Error('No integration.');
  return integration;
};
const change = ({ id }: Integration, $set: object) => publisher.db.collection('integrations').updateOne({ _id: id as never }, { $set });
const refresh = ({ id }: Integration) => publisher.client.refreshIntegration({ operationId: newId(), integrationId: id }, publisher.call);

describe('connecting', () => {
  test('the account itself signs in, with the scopes of that login', async () => {
    const integration = await connect('instagram', aBusiness());
    expect(integration).toMatchObject({
      platform: 'instagram',
      login: 'instagram',
      username: 'fanfare.demo.cafe',
      page: '',
      status: 'INTEGRATION_STATUS_CONNECTED',
      scopes: expect.arrayContaining(['instagram_business_content_publish']) as string[],
    });
    const days = ((integration.tokenExpiresAt?.getTime() ?? 0) - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(60);
    expect(integration.capabilities.filter(({ available }) => available).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['publish', 'first_comment']),
    );
  });

  test('missing scopes are named as in that login', async () => {
    const call = aBusiness();
    const { authorizeUrl } = await begin('instagram', call);
    const url = new URL(authorizeUrl);
    url.searchParams.set('scope', 'instagram_business_basic,instagram_business_content_publish');
    const { integrations } = await publisher.client.completeConnection(await publisher.consent(url.href), call);
    expect(integrations[0]?.capabilities).toContainEqual({
      name: 'first_comment',
      available: false,
      reason: 'missing_scope',
      missingScopes: ['instagram_business_manage_comments'],
    });
  });

  test('Facebook Login is the default; with the other login the same account continues, and stays with it', async () => {
    const call = aBusiness();
    const before = await connect(undefined, call);
    expect(before).toMatchObject({ login: 'facebook', scopes: expect.arrayContaining(['instagram_content_publish']) as string[] });
    const again = await connect('instagram', call);
    expect(again).toMatchObject({ id: before.id, accountId: before.accountId, login: 'instagram', revision: before.revision + 1 });
    expect(again.scopes).not.toContain('instagram_content_publish');
    // Reconnected without a choice, it uses the login that it has.
    const { authorizeUrl } = await begin(undefined, call, { integrationId: before.id });
    expect(authorizeUrl).toContain('/www.instagram.com/oauth/authorize');
    expect((await begin('facebook', call, { integrationId: before.id })).authorizeUrl).toContain('/www.facebook.com/');
  });

  test('a returning browser finishes the flow with the login that started it, for the intended account only', async () => {
    const call = aBusiness();
    const before = await connect('facebook', call);
    const finish = async (accountId: string) => {
      const about = { connectionId: newId(), integrationId: before.id };
      const { authorizeUrl } = await begin('instagram', call, about);
      const granted = await publisher.consent(authorizeUrl, accountId);
      const request = { operationId: newId(), error: '', errorDescription: '', ...granted };
      return (await publisher.client.finishConnection(request, callAs({ organizationId: '', businessId: '' }))).connection;
    };
    const another = await publisher.sandbox.createAccount('instagram', 'somebody.else');
    expect(await finish(another)).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'other_account' });
    expect(await finish(before.accountId)).toMatchObject({
      status: 'CONNECTION_STATUS_CONNECTED',
      integrations: [{ id: before.id, login: 'instagram' }],
    });
  });

  test.each([
    ['x', 'instagram'],
    ['facebook', 'facebook'],
    ['instagram', 'google'],
    ['instagram', ''],
  ])('%s has no login %j', async (platform, login) => {
    const rejection = { code: 'invalid_value', param: 'login' };
    await expect(begin(login, publisher.call, { platform })).rejects.toMatchObject(rejection);
  });
});

describe('publishing', () => {
  let instagram: Integration;
  beforeAll(async () => {
    instagram = await anAccount('publishes.by.itself');
  });
  const images = (count: number) => Promise.all(Array.from({ length: count }, () => publisher.library.addImage('A cup')));

  test.each([
    ['an image', () => images(1), 'photo'],
    ['a reel', async () => [publisher.library.addVideo(readFileSync('apps/sandbox/test/fixtures/reel.mp4'))], 'reel'],
    ['a carousel', () => images(3), 'carousel'],
  ])('%s, with its first comment, on the hosts of that login only', async (what, media, kind) => {
    const caption = `${what}, signed in at Instagram`;
    const [id = ''] = await publisher.publish({ integration: instagram, caption, mediaIds: await media(), firstComment: 'First!' });
    const event = await publisher.outcome(id);
    expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, errorType: undefined, warnings: [] });
    const posts = await publisher.sandbox.posts(caption);
    expect(posts).toMatchObject([{ id: event.publishId, kind, account_id: instagram.accountId, comments: [{ text: 'First!' }] }]);
    const hosts = (await publisher.sandbox.exchanges('instagram.publish_container')).map(({ host }) => host);
    expect(new Set(hosts)).toEqual(new Set(['graph.instagram.com']));
  });

  test('a lost commit is found there', async () => {
    await publisher.sandbox.fault('instagram.publish_container', { type: 'accept_then_drop' });
    const [id = ''] = await publisher.publish({ integration: instagram, caption: 'Lost and found', mediaIds: await images(1) });
    const event = await publisher.outcome(id);
    const posts = await publisher.sandbox.posts('Lost and found');
    expect(posts).toHaveLength(1);
    expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: posts[0]?.id });
  });

  test('revoked access ends the delivery, and the person has to reconnect', async () => {
    const account = await anAccount('took.it.back');
    await publisher.sandbox.revoke(account.accountId);
    const [id = ''] = await publisher.publish({ integration: account, caption: 'Too late', mediaIds: await images(1) });
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'token_expired' });
    expect((await get(account)).status).toBe('INTEGRATION_STATUS_EXPIRED');
  });
});

describe('renewing', () => {
  const renewals = () => publisher.sandbox.exchanges('instagram.refresh_token');

  test('a token that is younger than a day is not renewed', async () => {
    const account = await anAccount('young');
    const before = (await renewals()).length;
    expect((await refresh(account)).integration).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED', lastError: undefined });
    expect(await renewals()).toHaveLength(before);
  });

  test('an older token is renewed when it is due, and the new one is used', async () => {
    const account = await anAccount('renewed');
    const next = await anotherToken(account.accountId);
    const body = { access_token: next, token_type: 'bearer', expires_in: (60 * DAY_MS) / 1000 };
    await publisher.sandbox.fault('instagram.refresh_token', { type: 'status', status: 200, body, apply: 'before' });
    await change(account, { token_check_at: new Date(), token_expires_at: new Date(Date.now() + 6 * DAY_MS) });
    const renewed = await eventually(async () => {
      const now = await get(account);
      return now.revision > account.revision && now;
    });
    expect(renewed).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED', login: 'instagram', scopes: account.scopes });
    expect(Math.round(((renewed.tokenExpiresAt?.getTime() ?? 0) - Date.now()) / DAY_MS)).toBe(60);
    const mediaIds = [await publisher.library.addImage()];
    const [id = ''] = await publisher.publish({ integration: account, caption: 'With the new token', mediaIds });
    expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  });

  test('a rejected renewal does not expire the account; a revoked grant does', async () => {
    const account = await anAccount('not.yet');
    // Old enough by our clock, but not by the platform's.
    await change(account, { token_expires_at: new Date(Date.now() + 50 * DAY_MS) });
    await expect(refresh(account)).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
    expect((await get(account)).status).toBe('INTEGRATION_STATUS_CONNECTED');
    await publisher.sandbox.revoke(account.accountId);
    await expect(refresh(account)).rejects.toMatchObject({ code: 'SOCIAL_TOKEN_EXPIRED' });
    expect((await get(account)).status).toBe('INTEGRATION_STATUS_EXPIRED');
  });

  /** Another long-lived token of the account: the response to a renewal. */
  async function anotherToken(accountId: string): Promise<string> {
    const { authorizeUrl } = await begin('instagram', publisher.call);
    const { code } = await publisher.consent(authorizeUrl, accountId);
    const app = { client_id: 'sandbox-instagram-login', client_secret: 'sandbox-instagram-login-secret' };
    const form = new URLSearchParams({ ...app, grant_type: 'authorization_code', redirect_uri: publisher.redirectUri, code });
    const { url } = publisher.sandbox;
    const tokenOf = async (response: Response) => ((await response.json()) as { access_token: string }).access_token;
    const short = await tokenOf(await fetch(`${url}/api.instagram.com/oauth/access_token`, { method: 'POST', body: form }));
    const query = new URLSearchParams({ grant_type: 'ig_exchange_token', client_secret: app.client_secret, access_token: short });
    return tokenOf(await fetch(`${url}/graph.instagram.com/access_token?${query.toString()}`));
  }
});

describe('requests of Meta about a person', () => {
  const META = callAs({ organizationId: '', businessId: '' });
  const signed = (userId: string, app: string) => {
    const said = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(Date.now() / 1000) };
    const payload = Buffer.from(JSON.stringify(said)).toString('base64url');
    return `${createHmac('sha256', `sandbox-${app}-secret`).update(payload).digest('base64url')}.${payload}`;
  };
  const row = ({ id }: Integration) => publisher.db.collection('integrations').findOne({ _id: id as never });

  test.each([
    ['the id of the account', (accountId: string) => accountId],
    ['the id that our app has for it', (accountId: string) => `26${accountId.slice(2)}`],
  ])('an account whose app was removed at Instagram has no access any more, by %s', async (what, userIdOf) => {
    const account = await anAccount(`removed.${what.length}`);
    const byFacebook = await connect('facebook', aBusiness());
    // Signed by another app, it is about another person.
    await publisher.client.deauthorizeMetaUser({ signedRequest: signed(userIdOf(account.accountId), 'instagram') }, META);
    expect((await get(account)).status).toBe('INTEGRATION_STATUS_CONNECTED');
    await publisher.client.deauthorizeMetaUser({ signedRequest: signed(userIdOf(account.accountId), 'instagram-login') }, META);
    expect(await row(account)).toMatchObject({ status: 'INTEGRATION_STATUS_EXPIRED', tokens: '' });
    expect(await row(byFacebook)).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED' });
  });

  test('a person who requests deletion is erased', async () => {
    const account = await anAccount('forget.me');
    await publisher.client.deleteMetaUserData({ signedRequest: signed(account.accountId, 'instagram-login') }, META);
    expect(await row(account)).toBeNull();
  });
});
