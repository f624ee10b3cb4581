import { createHash } from 'node:crypto';
import { allScopes, api, app, connectTiktok as connect } from './connect-tiktok.ts';
import { queryOf, redirectUri, runningSandbox, type RunningSandbox } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  user = await connect(sandbox);
});
afterAll(() => sandbox.stop());

describe('signing in', () => {
  it('grants tokens for a day and a year, for a code that works once', async () => {
    expect(user.tokens).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, refresh_expires_in: 31_536_000, scope: allScopes });
    const again = await sandbox.call(`${api}/oauth/token/`, { form: user.exchange });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant', log_id: expect.any(String) } });
  });

  it('rotates refresh tokens', async () => {
    const { tokens } = await connect(sandbox);
    const form = { ...app, grant_type: 'refresh_token', refresh_token: tokens['refresh_token']! };
    const refreshed = await sandbox.call(`${api}/oauth/token/`, { form });
    expect(refreshed.body.refresh_token).not.toBe(tokens['refresh_token']);
    expect((await sandbox.call(`${api}/oauth/token/`, { form })).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('ends all access when it is revoked, or after a day', async () => {
    const other = await connect(sandbox);
    const revoked = await sandbox.call(`${api}/oauth/revoke/`, { form: { ...app, token: other.tokens['access_token']! } });
    expect(revoked).toMatchObject({ status: 200, text: '{}' });
    expect(await other.get('/user/info/?fields=open_id')).toMatchObject({ status: 401, body: { error: { code: 'access_token_invalid' } } });
    sandbox.clock.aheadMs = 86_400_001;
    const late = await user.get('/user/info/?fields=open_id');
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { error: { code: 'access_token_expired' } } });
  });

  it('checks a code against the challenge of its authorization, in hexadecimal', async () => {
    const code_verifier = 'v'.repeat(43);
    const query = queryOf({
      client_key: app.client_key,
      scope: allScopes,
      response_type: 'code',
      redirect_uri: redirectUri,
      state: 's1',
      code_challenge: createHash('sha256').update(code_verifier).digest('hex'),
      code_challenge_method: 'S256',
      _consent: 'allow',
    });
    const allowed = await sandbox.call(`https://www.tiktok.com/v2/auth/authorize/?${query}`);
    const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
    const exchange = { ...app, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    for (const form of [exchange, { ...exchange, code_verifier: 'w'.repeat(43) }]) {
      expect(await sandbox.call(`${api}/oauth/token/`, { form })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    expect((await sandbox.call(`${api}/oauth/token/`, { form: { ...exchange, code_verifier } })).status).toBe(200);
  });

  it.each([
    ['an unknown app', { client_key: 'nobody' }],
    ['an unknown scope', { scope: 'rule.world' }],
    ['scopes with spaces', { scope: 'user.info.basic video.publish' }],
    ['no state', { state: '' }],
    ['a parameter name of other platforms', { client_id: 'sandbox-tiktok' }],
  ])('rejects an authorization with %s', async (_, change) => {
    const good = { client_key: app.client_key, scope: allScopes, response_type: 'code', redirect_uri: redirectUri, state: 's' };
    const query = queryOf({ ...good, ...change, _consent: 'allow' });
    expect((await sandbox.call(`https://www.tiktok.com/v2/auth/authorize/?${query}`)).status).toBe(400);
  });

  it('requires its credentials in the form, under its own names', async () => {
    const wrong = await sandbox.call(`${api}/oauth/token/`, { form: { ...user.exchange, client_secret: 'wrong' } });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const json = await sandbox.call(`${api}/oauth/token/`, { json: user.exchange });
    expect(json).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('shows only what was granted', async () => {
    const other = await connect(sandbox, 'user.info.basic,video.publish');
    expect((await other.get('/user/info/?fields=open_id,display_name')).body.data.user).toEqual({
      open_id: other.tokens['open_id'],
      display_name: 'Fanfare Demo Café',
    });
    expect(await other.get('/user/info/?fields=username')).toMatchObject({
      status: 401,
      body: { error: { code: 'scope_not_authorized' } },
    });
    expect(await other.post('/video/list/?fields=id')).toMatchObject({ status: 401, body: { error: { code: 'scope_not_authorized' } } });
  });
});
