import { eventually } from '@fanfare/testing';
import { decodeJwt, SignJWT } from 'jose';
import { anonymously, aPerson, asPerson, elsewhere, PASSWORD, SIGNED_OUT, type Tokens } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Each test has an address of its own. */
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);
const auditOf = (action: string) => gateway.context.db.collection('audit_entries').find({ action }).toArray();

describe('signing in', () => {
  it('permits a user in all of their organizations', async () => {
    const person = await aPerson(gateway);
    const me = await person.call('GET', '/api/me');
    expect(me.status).toBe(200);
    expect(await me.json()).toEqual({
      id: person.id,
      email: person.email,
      name: person.tokens.user.name,
      has_password: true,
      notifications: { post_failed: true, account_expired: true },
      created_at: expect.any(String),
      memberships: [
        { organization_id: gateway.organizationId, organization_name: 'Bakers', mode: 'test', plan: expect.any(String), role: 'owner' },
      ],
      invitations: [],
    });
    expect((await person.call('GET', '/api/businesses')).status).toBe(200);
  });

  it('accepts an address in any case and with spaces around it', async () => {
    const { email } = await aPerson(gateway);
    expect((await post('/api/auth/sign-in', { email: ` ${email.toUpperCase()} `, password: PASSWORD })).status).toBe(200);
  });

  it('returns the same error for a wrong password and for an unknown account', async () => {
    const { email } = await aPerson(gateway);
    const details = [];
    for (const unknown of [email, 'nobody@example.com']) {
      const problem = await expectProblem(await post('/api/auth/sign-in', { email: unknown, password: `${PASSWORD}!` }), SIGNED_OUT);
      details.push(problem['detail']);
    }
    expect(details[0]).toBe(details[1]);
    await eventually(async () => (await auditOf('session.sign_in_failed')).some((entry) => entry['details'].email === email));
    const [ours] = await gateway.context.db
      .collection('audit_entries')
      .find({ action: 'session.sign_in_failed', 'details.email': email })
      .toArray();
    expect(ours).toMatchObject({ organization_id: gateway.organizationId, ip: expect.stringMatching(/^198\.51/), actor: 'anonymous' });
  });

  it.each(['known', 'unknown'])('slows down password attempts at a(n) %s account, concurrent ones too', async (kind) => {
    const email = kind === 'known' ? (await aPerson(gateway)).email : 'nobody.at.all@example.com';
    const from = elsewhere();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post('/api/auth/sign-in', { email, password: `wrong ${index}` }, from)),
    );
    const served = responses.filter(({ status }) => status === 401);
    expect(served.length).toBeGreaterThanOrEqual(5);
    expect(served.length).toBeLessThan(10);
    const rejected = responses.find(({ status }) => status === 429);
    if (!rejected) throw new Error('No attempt was slowed down.');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await expectProblem(rejected, { status: 429, code: 'rate_limit_exceeded' })).toMatchObject({ window: 'sign_in' });
    // The owner, at another address, is not locked out.
    if (kind === 'known') expect((await post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('does not lock out an address that signed in before, whatever strangers try', async () => {
    const { email } = await aPerson(gateway);
    const home = elsewhere();
    const tried = (password: string, from: ReturnType<typeof elsewhere>) => post('/api/auth/sign-in', { email, password }, from);
    expect((await tried(PASSWORD, home)).status).toBe(200);
    const throttles = gateway.context.db.collection<{ _id: string }>('throttles');
    const closed = { tries: 50, closed_until: new Date(Date.now() + 60_000), expires_at: new Date(Date.now() + 3_600_000) };
    // The state after attempts of fifty strangers.
    await throttles.updateOne({ _id: `password ${email}` }, { $set: closed }, { upsert: true });
    // Other addresses are rejected even with the right password; a known one is not.
    const abroad = elsewhere();
    await expectProblem(await tried(PASSWORD, abroad), { status: 429, code: 'rate_limit_exceeded' });
    expect((await tried(PASSWORD, home)).status).toBe(200);
    // A rejection because of others does not count as an attempt of this address.
    for (let time = 0; time < 8; time++) expect((await tried(PASSWORD, abroad)).status).toBe(429);
    await throttles.deleteOne({ _id: `password ${email}` });
    expect((await tried(PASSWORD, abroad)).status).toBe(200);
    // The known address has its own attempts.
    const own = await Promise.all(Array.from({ length: 12 }, () => tried('not my password', home)));
    expect(own.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(JSON.stringify(await gateway.context.db.collection('sign_in_addresses').find().toArray())).not.toContain('198.51.100');
  });

  it('stores no password and no valid token', async () => {
    const { tokens } = await aPerson(gateway);
    const everything = await Promise.all(
      ['users', 'accounts', 'sessions', 'verifications', 'audit_entries'].map((name) =>
        gateway.context.db.collection(name).find().toArray(),
      ),
    );
    const stored = JSON.stringify(everything);
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(tokens.refresh_token.split('.').at(-1));
    expect(stored).toContain(tokens.user.id);
  });
});

describe('access tokens', () => {
  it('are rejected if anything in them was changed', async () => {
    const { tokens } = await aPerson(gateway);
    const [header = '', payload = '', signature = ''] = tokens.access_token.split('.');
    const key = gateway.context.keyring.derive('access tokens')[0];
    const sign = (claims: object, more: object = {}, bytes = key.bytes) =>
      new SignJWT({ ...decodeJwt(tokens.access_token), ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.id, ...more })
        .sign(bytes);
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
    const wrong = [
      none,
      `${header}.${Buffer.from(JSON.stringify({ ...decodeJwt(tokens.access_token), sub: 'x' })).toString('base64url')}.${signature}`,
      await sign({}, {}, Buffer.alloc(32)),
      await sign({}, { kid: 'other' }),
      await sign({}, { typ: 'JWT' }),
      await sign({}, { alg: 'HS512' }),
      await sign({ exp: Math.floor(Date.now() / 1000) - 60 }),
      await sign({ iss: 'https://elsewhere.example.com' }),
      await sign({ aud: 'https://elsewhere.example.com/api' }),
      await sign({ sid: undefined }),
      await sign({ sid: tokens.user.id }),
    ];
    for (const token of wrong) {
      await expectProblem(await asPerson(gateway, { ...tokens, access_token: token }).call('GET', '/api/me'), SIGNED_OUT);
    }
    expect((await asPerson(gateway, { ...tokens, access_token: await sign({}) }).call('GET', '/api/me')).status).toBe(200);
  });

  it('return their lifetime', async () => {
    const { email } = await aPerson(gateway);
    const response = await (await post('/api/auth/sign-in', { email, password: PASSWORD })).json();
    expect(response).toMatchObject({ token_type: 'Bearer', expires_in: 600 });
    const { exp = 0, iat = 0 } = decodeJwt((response as Tokens).access_token);
    expect(exp - iat).toBe(600);
  });
});

describe('users', () => {
  it('change their name', async () => {
    const person = await aPerson(gateway);
    const response = await person.call('PATCH', '/api/me', { name: '  Ann ' });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ name: 'Ann', id: person.id })]);
    await expectProblem(await person.call('PATCH', '/api/me', {}), { status: 400, code: 'invalid_request' });
  });

  it('are not accepted as API keys', async () => {
    await expectProblem(await gateway.call('/api/me'), { status: 403, code: 'permission_denied' });
  });

  it('created by an operator with a weak password are rejected', async () => {
    const { organizationId } = gateway;
    const user = { organizationId, email: 'easy@example.com', name: 'Easy', role: 'owner', password: 'password123' };
    await expect(gateway.admin.createUser(user, admin)).rejects.toEqual(
      expect.objectContaining({ code: 'invalid_value', param: 'password' }),
    );
  });
});
