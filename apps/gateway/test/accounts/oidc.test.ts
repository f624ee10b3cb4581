import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { newId } from '@fanfare/runtime';
import { anonymously, aPerson, asPerson, PASSWORD, type Tokens, invitationTokenTo } from '../people.ts';
import { withWrongClock } from '../wrong-clock.ts';
import { admin, BASE_URL, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

const CONSOLE_URL = 'https://app.example.com';
const CALLBACK = `${BASE_URL}/api/auth/oidc/sso/callback`;
const CLIENT = { CLIENT_ID: 'fanfare', CLIENT_SECRET: 'a secret of the client', REDIRECT_URI: CALLBACK };
const SIGNED_OUT = { status: 401, code: 'authentication_required' };

let issuer: ChildProcess;
let gateway: RunningGateway;
const oidcEnv: Record<string, string> = {};
beforeAll(async () => {
  issuer = fork(path.join(import.meta.dirname, 'oidc-issuer.mjs'), {
    env: { ...process.env, ...CLIENT },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ issuer: url }] = (await once(issuer, 'message')) as [{ issuer: string }];
  Object.assign(oidcEnv, {
    CONSOLE_URL,
    OIDC_ISSUER: url,
    OIDC_ALLOWED_ORIGINS: url,
    OIDC_CLIENT_ID: CLIENT.CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT.CLIENT_SECRET,
    OIDC_NAME: 'Mill ID',
  });
  gateway = await startGateway(oidcEnv);
});
afterAll(async () => {
  await gateway.stop();
  issuer.disconnect();
});

interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** The account that signs in at the provider from now on; null denies access. */
async function useAccount(account: Account | null): Promise<void> {
  const seated = once(issuer, 'message');
  issuer.send(account as object);
  await seated;
}

let people = 0;
const anAccount = (more: Partial<Account> = {}): Account => {
  people++;
  return { sub: `sub-${people}`, email: `oidc${people}@example.com`, email_verified: true, name: `Oidc ${people}`, ...more };
};

async function begin(): Promise<{ authorize_url: string; binding: string }> {
  const response = await anonymously(gateway, '/api/auth/oidc/sso', undefined);
  expect(response.status).toBe(200);
  return (await response.json()) as { authorize_url: string; binding: string };
}

/** Follows the redirects of a browser up to the callback. */
async function authorize(url: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let next = url; ;) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider returned ${response.status}: ${await response.text()}`);
    next = new URL(location, next).href;
    if (next.startsWith(CALLBACK)) return new URL(next);
  }
}

/** The URL to which the callback redirects. */
async function arrive(callback: URL): Promise<URL> {
  const response = await gateway.call(callback.pathname + callback.search, { key: null, redirect: 'manual' });
  expect(response.status).toBe(303);
  const location = response.headers.get('location') ?? '';
  expect(location.startsWith(`${CONSOLE_URL}/sign-in`)).toBe(true);
  return new URL(location);
}

const finish = (code: string | null, binding: string) => anonymously(gateway, '/api/auth/oidc/token', { code, binding });

async function signInAs(account: Account): Promise<Tokens> {
  await useAccount(account);
  const { authorize_url, binding } = await begin();
  const location = await arrive(await authorize(authorize_url));
  expect(location.searchParams.get('error')).toBeNull();
  const response = await finish(location.searchParams.get('code'), binding);
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

async function rejectionOf(account: Account | null): Promise<string | null> {
  await useAccount(account);
  const { authorize_url } = await begin();
  const location = await arrive(await authorize(authorize_url));
  expect(location.searchParams.get('code')).toBeNull();
  return location.searchParams.get('error');
}

const usersOf = (email: string | undefined) => gateway.context.db.collection('users').countDocuments({ email });

test('lists the providers', async () => {
  const response = await gateway.call('/api/auth/oidc', { key: null });
  expect(await response.json()).toEqual({ items: [{ id: 'sso', name: 'Mill ID' }], next: null, sign_up: 'invited' });
});

test('signs in a user with the same address, and recognizes them by the provider’s id later', async () => {
  const person = await aPerson(gateway);
  const account = anAccount({ email: person.email.toUpperCase() });
  const tokens = await signInAs(account);
  expect(tokens.user.id).toBe(person.id);
  expect((await asPerson(gateway, tokens).call('GET', '/api/businesses')).status).toBe(200);
  const again = await signInAs({ ...account, email: 'moved@example.com', email_verified: false });
  expect(again.user.id).toBe(person.id);
  const signedIn = await gateway.context.db
    .collection('audit_entries')
    .countDocuments({ action: 'session.signed_in', actor: `user:${person.id}`, 'details.method': 'sso' });
  expect(signedIn).toBe(2);
});

test.each([-90, 90])("signs users in if the gateway's clock is wrong by %s minutes", async (minutes) => {
  const person = await aPerson(gateway);
  const tokens = await withWrongClock(minutes * 60_000, () => signInAs(anAccount({ email: person.email })));
  expect(tokens.user.id).toBe(person.id);
});

test('rejects disabled users', async () => {
  const person = await aPerson(gateway);
  const account = anAccount({ email: person.email });
  await signInAs(account);
  await gateway.admin.disableUser({ userId: person.id, reason: 'Lost laptop', keepKeys: false }, admin);
  await useAccount(account);
  const { authorize_url, binding } = await begin();
  const location = await arrive(await authorize(authorize_url));
  await expectProblem(await finish(location.searchParams.get('code'), binding), { status: 403, code: 'permission_denied' });
  expect(await gateway.context.db.collection('sessions').countDocuments({ user_id: person.id })).toBe(0);
});

test('does not take an account of another issuer for a known one', async () => {
  const account = anAccount({ email: (await aPerson(gateway)).email });
  const ours = await signInAs(account);
  const accounts = gateway.context.db.collection<{ account_id: string }>('accounts');
  const link = { user_id: ours.user.id, provider_id: 'sso' } as object;
  // As if another issuer had been configured when they signed in.
  await accounts.updateOne(link, { $set: { account_id: `https://elsewhere.example.com ${account.sub}` } });
  expect(await rejectionOf({ ...account, email: 'another@example.com' })).toBe('not_invited');
  await accounts.updateOne(link, { $set: { account_id: account.sub } });
  expect(await rejectionOf({ ...account, email: 'another@example.com' })).toBe('not_invited');
  // They are linked again by their address.
  expect((await signInAs(account)).user.id).toBe(ours.user.id);
});

test('requests only the necessary scopes, with state, nonce and PKCE', async () => {
  const [one, other] = [await begin(), await begin()];
  const query = new URL(one.authorize_url).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    client_id: 'fanfare',
    redirect_uri: CALLBACK,
    code_challenge_method: 'S256',
    scope: 'openid email profile',
  });
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(query.get(name)).toMatch(/^[\w-]{43}$/);
    expect(query.get(name)).not.toBe(new URL(other.authorize_url).searchParams.get(name));
  }
  expect(one.authorize_url).not.toContain(one.binding);
});

test('stores nothing with which a reader of the database could complete a sign-in', async () => {
  const stored = async () => JSON.stringify(await gateway.context.db.collection('verifications').find().toArray());
  await useAccount(anAccount({ email: (await aPerson(gateway)).email }));
  const { authorize_url, binding } = await begin();
  const query = new URL(authorize_url).searchParams;
  const begun = await stored();
  for (const secret of [query.get('state'), query.get('nonce'), binding]) expect(begun).not.toContain(secret);
  const code = (await arrive(await authorize(authorize_url))).searchParams.get('code');
  expect(code).toMatch(/^[\w-]{43}$/);
  const arrived = await stored();
  expect(arrived).not.toBe('[]');
  expect(arrived).not.toContain(code);
  expect((await finish(code, binding)).status).toBe(200);
});

test('rejects a person without account or invitation, and accepts an invited one', async () => {
  const account = anAccount();
  expect(await rejectionOf(account)).toBe('not_invited');
  expect(await usersOf(account.email)).toBe(0);
  const owner = await aPerson(gateway);
  await owner.call('POST', '/api/invitations', { email: account.email, role: 'viewer' });
  const guest = asPerson(gateway, await signInAs(account));
  const me = (await (await guest.call('GET', '/api/me')).json()) as { name: string; has_password: boolean; invitations: { id: string }[] };
  expect(me).toMatchObject({ name: account.name, has_password: false, memberships: [], invitations: [{ role: 'viewer' }] });
  const body = { invitation_token: await invitationTokenTo(gateway, account.email ?? '') };
  expect((await guest.call('POST', `/api/invitations/${me.invitations[0]?.id}/accept`, body)).status).toBe(200);
});

test('rejects an address that the provider has not verified', async () => {
  const person = await aPerson(gateway);
  expect(await rejectionOf(anAccount({ email: person.email, email_verified: false }))).toBe('email_not_verified');
  expect(await rejectionOf({ sub: 'no-address' })).toBe('email_not_verified');
});

test('takes an account away from a person who created it with an address of another', async () => {
  const account = anAccount();
  const { db, identity } = gateway.context;
  const { password } = await (await identity.betterAuth()).$context;
  const [id, at] = [newId(), new Date()];
  await db
    .collection('users')
    .insertOne({ _id: id, email: account.email, name: 'Squatter', email_verified: false, created_at: at } as never);
  const credential = { _id: newId(), user_id: id, provider_id: 'credential', account_id: id, password: await password.hash(PASSWORD) };
  await db.collection('accounts').insertOne(credential as never);
  expect((await signInAs(account)).user).toMatchObject({ id, name: account.name });
  await expectProblem(await anonymously(gateway, '/api/auth/sign-in', { email: account.email, password: PASSWORD }), SIGNED_OUT);
});

test('creates one user in two concurrent sign-ins', async () => {
  const owner = await aPerson(gateway);
  const account = anAccount();
  await owner.call('POST', '/api/invitations', { email: account.email, role: 'viewer' });
  await useAccount(account);
  const begun = await Promise.all([begin(), begin()]);
  const callbacks = await Promise.all(begun.map(({ authorize_url }) => authorize(authorize_url)));
  const locations = await Promise.all(callbacks.map(arrive));
  expect(locations.map(({ searchParams }) => searchParams.get('error'))).toEqual([null, null]);
  expect(await usersOf(account.email)).toBe(1);
});

describe('a sign-in is rejected', () => {
  let binding: string;
  let callback: URL;
  beforeEach(async () => {
    await useAccount(anAccount({ email: (await aPerson(gateway)).email }));
    const begun = await begin();
    binding = begun.binding;
    callback = await authorize(begun.authorize_url);
  });
  const errorOf = async (url: URL) => (await arrive(url)).searchParams.get('error');
  const changed = (name: string, value: string) => {
    const url = new URL(callback);
    url.searchParams.set(name, value);
    return url;
  };

  it('with the link of another browser', async () => {
    const code = (await arrive(callback)).searchParams.get('code');
    await expectProblem(await finish(code, 'not the binding'), SIGNED_OUT);
    await expectProblem(await finish(code, binding), SIGNED_OUT);
  });

  it('with a used code or callback', async () => {
    const code = (await arrive(callback)).searchParams.get('code');
    const responses = await Promise.all([finish(code, binding), finish(code, binding)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await errorOf(callback)).toBe('expired');
  });

  it('with an unknown state', async () => {
    expect(await errorOf(changed('state', 'x'.repeat(43)))).toBe('expired');
  });

  it('with the code of another sign-in', async () => {
    const other = await authorize((await begin()).authorize_url);
    expect(await errorOf(changed('code', other.searchParams.get('code') ?? ''))).toBe('provider_failed');
  });

  it('with a response of another issuer', async () => {
    expect(await errorOf(changed('iss', 'https://elsewhere.example.com'))).toBe('provider_failed');
  });

  it('if access was denied at the provider', async () => {
    expect(await rejectionOf(null)).toBe('denied');
  });

  it('at an unknown provider', async () => {
    await expectProblem(await anonymously(gateway, '/api/auth/oidc/other', {}), { status: 404, code: 'resource_not_found' });
  });
});

test('an unavailable provider is reported as an error of the provider', async () => {
  const lonely = await startGateway({ ...oidcEnv, OIDC_ISSUER: 'http://127.0.0.1:9' });
  try {
    await expectProblem(await anonymously(lonely, '/api/auth/oidc/sso', {}), { status: 502, code: 'UPSTREAM_PROVIDER_ERROR' });
  } finally {
    await lonely.stop();
  }
});
