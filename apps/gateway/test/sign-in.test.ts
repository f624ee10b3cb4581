import { DomainError } from '@fanfare/errors';
import { eventually } from '@fanfare/testing';
import { newId } from '@fanfare/runtime';
import { decodeJwt, SignJWT } from 'jose';
import { anonymously, aPerson, asPerson, mailsTo, PASSWORD, signIn, type Tokens } from './people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Throttles count addresses: each test comes from one of its own. */
let addresses = 0;
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);
const auditOf = (action: string) => gateway.context.db.collection('audit_entries').find({ action }).toArray();
const SIGNED_OUT = { status: 401, code: 'authentication_required' };

describe('signing in', () => {
  it('opens the API to a user, for all that they belong to', async () => {
    const person = await aPerson(gateway);
    const me = await person.call('GET', '/api/me');
    expect(me.status).toBe(200);
    expect(await me.json()).toEqual({
      id: person.id,
      email: person.email,
      name: person.tokens.user.name,
      has_password: true,
      created_at: expect.any(String),
      memberships: [
        { organization_id: gateway.organizationId, organization_name: 'Bakers', mode: 'test', plan: expect.any(String), role: 'owner' },
      ],
      invitations: [],
    });
    expect((await person.call('GET', '/api/businesses')).status).toBe(200);
  });

  it('knows an address in any case and with blanks around it', async () => {
    const { email } = await aPerson(gateway);
    expect((await post('/api/auth/sign-in', { email: ` ${email.toUpperCase()} `, password: PASSWORD })).status).toBe(200);
  });

  it('says the same of a wrong password and of an account that is not there', async () => {
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

  it.each(['known', 'unknown'])('slows down who tries passwords at a(n) %s account, all at once too', async (kind) => {
    const email = kind === 'known' ? (await aPerson(gateway)).email : 'nobody.at.all@example.com';
    const from = elsewhere();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post('/api/auth/sign-in', { email, password: `wrong ${index}` }, from)),
    );
    const served = answers.filter(({ status }) => status === 401);
    expect(served.length).toBeGreaterThanOrEqual(5);
    expect(served.length).toBeLessThan(10);
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) throw new Error('Nobody was slowed down.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await expectProblem(refused, { status: 429, code: 'rate_limit_exceeded' })).toMatchObject({ window: 'sign_in' });
    // The owner, elsewhere, is not kept out by it.
    if (kind === 'known') expect((await post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('keeps nobody out who signed in from there before, whatever strangers try elsewhere', async () => {
    const { email } = await aPerson(gateway);
    const home = elsewhere();
    const tried = (password: string, from: ReturnType<typeof elsewhere>) => post('/api/auth/sign-in', { email, password }, from);
    expect((await tried(PASSWORD, home)).status).toBe(200);
    const throttles = gateway.context.db.collection<{ _id: string }>('throttles');
    const closed = { tries: 50, closed_until: new Date(Date.now() + 60_000), expires_at: new Date(Date.now() + 3_600_000) };
    // As after the guesses of fifty strangers.
    await throttles.updateOne({ _id: `password ${email}` }, { $set: closed }, { upsert: true });
    // The account is closed to who comes from anywhere else, even with the password; not to who comes from home.
    const abroad = elsewhere();
    await expectProblem(await tried(PASSWORD, abroad), { status: 429, code: 'rate_limit_exceeded' });
    expect((await tried(PASSWORD, home)).status).toBe(200);
    // Who is refused for what others did has used up no try of their own.
    for (let time = 0; time < 8; time++) expect((await tried(PASSWORD, abroad)).status).toBe(429);
    await throttles.deleteOne({ _id: `password ${email}` });
    expect((await tried(PASSWORD, abroad)).status).toBe(200);
    // Home has its own few tries.
    const own = await Promise.all(Array.from({ length: 12 }, () => tried('not my password', home)));
    expect(own.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(JSON.stringify(await gateway.context.db.collection('sign_in_addresses').find().toArray())).not.toContain('198.51.100');
  });

  it('keeps no password and no token that works', async () => {
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
  it('are refused when anything about them was changed', async () => {
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

  it('say how long they last', async () => {
    const { email } = await aPerson(gateway);
    const answer = await (await post('/api/auth/sign-in', { email, password: PASSWORD })).json();
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 600 });
    const { exp = 0, iat = 0 } = decodeJwt((answer as Tokens).access_token);
    expect(exp - iat).toBe(600);
  });
});

describe('refreshing', () => {
  const refresh = (token: string) => post('/api/auth/refresh', { refresh_token: token });
  const refreshed = async (token: string) => (await (await refresh(token)).json()) as Tokens;
  /** As if the last refresh had been a while ago. */
  const age = () => gateway.context.db.collection('sessions').updateMany({}, { $set: { updated_at: new Date(Date.now() - 60_000) } });

  it('turns a token over', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await asPerson(gateway, next).call('GET', '/api/me')).status).toBe(200);
    expect((await refreshed(next.refresh_token)).user.id).toBe(tokens.user.id);
  });

  it('gives the same next token to twenty at once, and goes on from there', async () => {
    const { tokens } = await aPerson(gateway);
    const all = await Promise.all(Array.from({ length: 20 }, () => refreshed(tokens.refresh_token)));
    expect(new Set(all.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    expect((await refresh(all[0]?.refresh_token ?? '')).status).toBe(200);
  });

  it('ends the session when an old token comes back, for the thief and for the owner', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    await age();
    await expectProblem(await refresh(tokens.refresh_token), SIGNED_OUT);
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
    await eventually(async () => (await asPerson(gateway, next).call('GET', '/api/me')).status === 401, 5_000);
    expect(await auditOf('session.token_reused')).toHaveLength(1);
  });

  it('ends it at once when the next token was used already', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    await refreshed(next.refresh_token);
    await expectProblem(await refresh(tokens.refresh_token), SIGNED_OUT);
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
  });

  it('knows a forged token from an old one: the session goes on', async () => {
    const { tokens } = await aPerson(gateway);
    const [id = '', generation = '', kid = '', code = ''] = tokens.refresh_token.split('.');
    const forged = [
      `${id}.${generation}.${kid}.${'A'.repeat(43)}`,
      `${id}.${Number(generation) + 1}.${kid}.${code}`,
      `${id}.${generation}.other.${code}`,
      `${id}.-1.${kid}.${code}`,
      'frt_',
      'x',
    ];
    for (const token of forged) await expectProblem(await refresh(token), SIGNED_OUT);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('prolongs a session by 30 days, and never beyond 90', async () => {
    const { tokens } = await aPerson(gateway);
    const sessions = gateway.context.db.collection<{ _id: string; created_at: Date; expires_at: Date }>('sessions');
    const sid = String(decodeJwt(tokens.access_token)['sid']);
    const days = async () => {
      const found = await sessions.findOne({ _id: sid });
      return Math.round(((found?.expires_at.getTime() ?? 0) - Date.now()) / 86_400_000);
    };
    expect(await days()).toBe(30);
    await sessions.updateOne({ _id: sid }, { $set: { created_at: new Date(Date.now() - 80 * 86_400_000) } });
    const next = await refreshed(tokens.refresh_token);
    expect(await days()).toBe(10);
    await sessions.updateOne({ _id: sid }, { $set: { expires_at: new Date(Date.now() - 1) } });
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
  });
});

describe('sessions', () => {
  it('are listed, page by page, with where they are from', async () => {
    const person = await aPerson(gateway);
    await anonymously(gateway, '/api/auth/sign-in', { email: person.email, password: PASSWORD }, { 'user-agent': 'x'.repeat(1000) });
    const first = (await (await person.call('GET', '/api/auth/sessions?limit=1')).json()) as { items: object[]; next: string };
    expect(first.items).toEqual([
      expect.objectContaining({ current: false, user_agent: 'x'.repeat(300), ip: expect.stringMatching(/^(198|127)/) as string }),
    ]);
    const second = (await (await person.call('GET', `/api/auth/sessions?limit=1&cursor=${first.next}`)).json()) as typeof first;
    expect(second).toEqual({ items: [expect.objectContaining({ current: true })], next: null });
  });

  it('end by sign-out, everywhere, within 5 seconds', async () => {
    const person = await aPerson(gateway);
    const other = await signIn(gateway, person.email);
    expect((await person.call('POST', '/api/auth/sign-out')).status).toBe(200);
    await expectProblem(await post('/api/auth/refresh', { refresh_token: person.tokens.refresh_token }), SIGNED_OUT);
    await eventually(async () => (await person.call('GET', '/api/me')).status === 401, 5_000);
    expect((await asPerson(gateway, other).call('GET', '/api/me')).status).toBe(200);
  });

  it('end one by one, or all but the current; never those of others', async () => {
    const person = await aPerson(gateway);
    const [one, two] = [await signIn(gateway, person.email), await signIn(gateway, person.email)];
    const idOf = ({ access_token }: Tokens) => String(decodeJwt(access_token)['sid']);
    const stranger = await aPerson(gateway);
    const foreign = await person.call('DELETE', `/api/auth/sessions/${idOf(stranger.tokens)}`);
    await expectProblem(foreign, { status: 404, code: 'resource_not_found' });
    expect((await person.call('DELETE', `/api/auth/sessions/${idOf(one)}`)).status).toBe(200);
    await expectProblem(await post('/api/auth/refresh', { refresh_token: one.refresh_token }), SIGNED_OUT);
    expect((await person.call('DELETE', '/api/auth/sessions')).status).toBe(200);
    await expectProblem(await post('/api/auth/refresh', { refresh_token: two.refresh_token }), SIGNED_OUT);
    expect((await post('/api/auth/refresh', { refresh_token: person.tokens.refresh_token })).status).toBe(200);
    expect((await stranger.call('GET', '/api/me')).status).toBe(200);
  });
});

describe('passwords', () => {
  it('are reset by a mailed link that works once, which ends all sessions', async () => {
    const person = await aPerson(gateway);
    expect((await post('/api/auth/password/forgot', { email: person.email })).status).toBe(202);
    const [mail] = (await mailsTo(gateway, person.email)).filter(({ template }) => template === 'password_reset');
    expect(mail?.token).toMatch(/^\w{20,}$/);
    const stored = JSON.stringify(await gateway.context.db.collection('verifications').find().toArray());
    expect(stored).not.toContain(mail?.token);

    const chosen = 'four crusty loaves';
    const reset = { token: mail?.token ?? '', password: chosen };
    const weak = await post('/api/auth/password/reset', { ...reset, password: 'password123' });
    await expectProblem(weak, { status: 400, code: 'invalid_value', param: 'password' });
    expect((await post('/api/auth/password/reset', reset)).status).toBe(200);
    await expectProblem(await post('/api/auth/password/reset', reset), { status: 400, code: 'invalid_value', param: 'token' });
    await expectProblem(await post('/api/auth/refresh', { refresh_token: person.tokens.refresh_token }), SIGNED_OUT);
    await expectProblem(await post('/api/auth/sign-in', { email: person.email, password: PASSWORD }), SIGNED_OUT);
    expect((await post('/api/auth/sign-in', { email: person.email, password: chosen })).status).toBe(200);
    expect((await mailsTo(gateway, person.email)).at(-1)?.template).toBe('password_changed');
  });

  it('are not asked for by who has no account, with the same answer', async () => {
    const { email } = await aPerson(gateway);
    const answers = await Promise.all([email, 'nobody@example.com'].map((to) => post('/api/auth/password/forgot', { email: to })));
    const [one, other] = await Promise.all(answers.map(async (answer) => ({ status: answer.status, body: await answer.json() })));
    expect(one).toEqual(other);
    expect(await mailsTo(gateway, 'nobody@example.com')).toEqual([]);
  });

  it('are asked for a few times only', async () => {
    const statuses = [];
    for (let time = 0; time < 5; time++) statuses.push((await post('/api/auth/password/forgot', { email: 'again@example.com' })).status);
    expect(statuses).toEqual([202, 202, 202, 429, 429]);
  });

  it('are changed by who knows the old one, which ends the other sessions', async () => {
    const person = await aPerson(gateway);
    const other = await signIn(gateway, person.email);
    const change = (current_password: string, password: string) =>
      person.call('POST', '/api/auth/password/change', { current_password, password });
    await expectProblem(await change('not my password', 'five crusty loaves'), {
      status: 400,
      code: 'invalid_value',
      param: 'current_password',
    });
    expect((await change(PASSWORD, 'five crusty loaves')).status).toBe(200);
    await expectProblem(await post('/api/auth/refresh', { refresh_token: other.refresh_token }), SIGNED_OUT);
    expect((await post('/api/auth/refresh', { refresh_token: person.tokens.refresh_token })).status).toBe(200);
    expect((await post('/api/auth/sign-in', { email: person.email, password: 'five crusty loaves' })).status).toBe(200);
  });

  it.each(['reset', 'changed'])('that are %s make all links that were mailed before worthless', async (how) => {
    const person = await aPerson(gateway);
    for (let time = 0; time < 2; time++) await post('/api/auth/password/forgot', { email: person.email });
    const tokens = (await mailsTo(gateway, person.email)).filter(({ template }) => template === 'password_reset').map(({ token }) => token);
    const [older, newer] = tokens;
    const reset = (token: string | undefined, password: string) => post('/api/auth/password/reset', { token, password });
    const done =
      how === 'reset'
        ? await reset(newer, 'eight crusty loaves')
        : await person.call('POST', '/api/auth/password/change', { current_password: PASSWORD, password: 'eight crusty loaves' });
    expect(done.status).toBe(200);
    for (const token of [older, newer]) {
      await expectProblem(await reset(token, 'ten crusty loaves'), { status: 400, code: 'invalid_value', param: 'token' });
    }
  });

  it('are reset once by two who have the link', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    const choices = ['six crusty loaves', 'seven crusty loaves'];
    const answers = await Promise.all(choices.map((password) => post('/api/auth/password/reset', { token, password })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('are not reset by a link that has expired', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    await gateway.context.db
      .collection('verifications')
      .updateOne({ value: person.id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    const late = await post('/api/auth/password/reset', { token, password: 'six crusty loaves' });
    await expectProblem(late, { status: 400, code: 'invalid_value', param: 'token' });
  });

  it('are reset by a link that found no turn at first', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    const reset = () => post('/api/auth/password/reset', { token, password: 'six crusty loaves' });
    const { password } = await gateway.context.identity.betterAuth.$context;
    const { hash } = password;
    password.hash = () => Promise.reject(new DomainError('rate_limit_exceeded', 'Too many at this moment.', { retryAfterSeconds: 3 }));
    await expectProblem(await reset(), { status: 429, code: 'rate_limit_exceeded' });
    password.hash = hash;
    expect((await reset()).status).toBe(200);
  });

  it.each(['reset', 'changed'])('that are %s leave no session that was begun with the old one', async (how) => {
    const person = await aPerson(gateway);
    const { password } = await gateway.context.identity.betterAuth.$context;
    const { verify } = password;
    const chosen = 'nine crusty loaves';
    await post('/api/auth/password/forgot', { email: person.email });
    const reset = { token: (await mailsTo(gateway, person.email)).at(-1)?.token, password: chosen };
    const replace = () =>
      how === 'reset'
        ? post('/api/auth/password/reset', reset)
        : person.call('POST', '/api/auth/password/change', { current_password: PASSWORD, password: chosen });
    // The old password is found to be right; before anything comes of it, it is replaced.
    password.verify = async (given) => {
      const isRight = await verify(given);
      password.verify = verify;
      expect((await replace()).status).toBe(200);
      return isRight;
    };
    await expectProblem(await post('/api/auth/sign-in', { email: person.email, password: PASSWORD }), SIGNED_OUT);
    const left = await gateway.context.db.collection('sessions').countDocuments({ user_id: person.id });
    expect(left).toBe(how === 'reset' ? 0 : 1);
    expect((await post('/api/auth/sign-in', { email: person.email, password: chosen })).status).toBe(200);
  });

  it('are changed once by two who know the old one', async () => {
    const person = await aPerson(gateway);
    const choices = ['six crusty loaves', 'seven crusty loaves'];
    const answers = await Promise.all(
      choices.map((password) => person.call('POST', '/api/auth/password/change', { current_password: PASSWORD, password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each(['password2024', 'Qwertyuiop!!', 'aaaaaaaaaaaa', 'owner.of.it@example.com'])(
    'are refused when they are as easy as %s',
    async (password) => {
      const body = { email: 'owner.of.it@example.com', name: 'Own', organization_name: 'Own', password };
      await expectProblem(await post('/api/auth/sign-up', body), { status: 400, code: 'invalid_value', param: 'password' });
    },
  );

  it.each(['short', 'x'.repeat(129), 'nul \0 nul nul', 'half \ud800 half'])('are refused when they are like %j', async (password) => {
    const body = { email: 'owner.of.it@example.com', name: 'Own', organization_name: 'Own', password };
    const answer = await post('/api/auth/sign-up', body);
    // Half of a surrogate pair is no JSON that could be read.
    expect([400, 422]).toContain(answer.status);
    expect(await mailsTo(gateway, 'owner.of.it@example.com')).toEqual([]);
  });
});

describe('signing up', () => {
  const newcomer = (email: string) => ({ email, name: 'New', password: PASSWORD, organization_name: 'New Bakery' });

  it('founds an organization once the address is confirmed', async () => {
    const email = 'new@example.com';
    const answer = await post('/api/auth/sign-up', newcomer(email));
    expect([answer.status, await answer.json()]).toEqual([202, { status: 'confirmation_sent' }]);
    await expectProblem(await post('/api/auth/sign-in', { email, password: PASSWORD }), { status: 403, code: 'permission_denied' });

    const [mail] = await eventually(async () => {
      const mails = await mailsTo(gateway, email);
      return mails.length === 2 && mails;
    });
    expect(mail?.template).toBe('verification');
    const tampered = await post('/api/auth/email/verify', { token: `${mail?.token}x` });
    await expectProblem(tampered, { status: 400, code: 'invalid_value', param: 'token' });
    expect((await post('/api/auth/email/verify', { token: mail?.token })).status).toBe(200);
    expect((await post('/api/auth/email/verify', { token: mail?.token })).status).toBe(200);

    const person = asPerson(gateway, await signIn(gateway, email));
    const { memberships } = (await (await person.call('GET', '/api/me')).json()) as { memberships: object[] };
    expect(memberships).toEqual([expect.objectContaining({ organization_name: 'New Bakery', role: 'owner', plan: 'default' })]);
  });

  it('gives an account to who signs up last before the address is confirmed, and to no link of before', async () => {
    const email = 'victim@example.com';
    const verify = (token: string | undefined) => post('/api/auth/email/verify', { token });
    await post('/api/auth/sign-up', {
      ...newcomer(email),
      name: 'Squatter',
      password: 'a password of a squatter',
      organization_name: 'Squat',
    });
    const answer = await post('/api/auth/sign-up', newcomer(email));
    expect([answer.status, await answer.json()]).toEqual([202, { status: 'confirmation_sent' }]);
    await post('/api/auth/email/resend', { email });
    const mails = await mailsTo(gateway, email);
    expect(mails.map(({ template }) => template)).toEqual(['verification', 'verification', 'verification']);
    await expectProblem(await verify(mails[0]?.token), { status: 400, code: 'invalid_value', param: 'token' });
    expect((await verify(mails[2]?.token)).status).toBe(200);

    await expectProblem(await post('/api/auth/sign-in', { email, password: 'a password of a squatter' }), SIGNED_OUT);
    const person = asPerson(gateway, await signIn(gateway, email));
    expect(await (await person.call('GET', '/api/me')).json()).toMatchObject({
      name: 'New',
      memberships: [{ organization_name: 'New Bakery', role: 'owner' }],
    });
  });

  it('takes nobody’s place whom an operator made by the version before', async () => {
    const email = 'made.before@example.com';
    const memberships = [{ organization_id: gateway.organizationId, role: 'owner' }];
    await gateway.context.db
      .collection('users')
      .insertOne({ _id: newId(), email, name: 'Old', created_at: new Date(0), memberships } as never);
    expect((await post('/api/auth/sign-up', newcomer(email))).status).toBe(202);
    expect((await mailsTo(gateway, email)).map(({ template }) => template)).toEqual(['account_exists']);
    await expectProblem(await post('/api/auth/sign-in', { email, password: PASSWORD }), SIGNED_OUT);
  });

  it('is confirmed once, however often the link is used', async () => {
    const email = 'clicks@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    const [mail] = await mailsTo(gateway, email);
    for (let time = 0; time < 5; time++) expect((await post('/api/auth/email/verify', { token: mail?.token })).status).toBe(200);
    const user = await gateway.context.db.collection('users').findOne({ email });
    expect((await auditOf('email.verified')).filter(({ target_id }) => target_id === String(user?._id))).toHaveLength(1);
  });

  it('mails the address a few times only, whatever its maker does', async () => {
    const email = 'not.mine@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    for (let time = 0; time < 8; time++) await post('/api/auth/sign-in', { email, password: PASSWORD });
    for (let time = 0; time < 3; time++) await post('/api/auth/email/resend', { email });
    await gateway.context.identity.drain();
    expect(await mailsTo(gateway, email)).toHaveLength(3);
  });

  it('does not tell whether there is an account; its owner is told by mail', async () => {
    const { email } = await aPerson(gateway);
    const answer = await post('/api/auth/sign-up', { ...newcomer(email), password: 'another password' });
    expect([answer.status, await answer.json()]).toEqual([202, { status: 'confirmation_sent' }]);
    expect((await mailsTo(gateway, email)).map(({ template }) => template)).toEqual(['account_exists']);
    expect((await post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('makes one account of ten sign-ups at once', async () => {
    const email = 'eager@example.com';
    await gateway.context.db.collection('throttles').deleteMany({});
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/api/auth/sign-up', newcomer(email))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 429]));
    expect(await gateway.context.db.collection('users').countDocuments({ email })).toBe(1);
  });

  it('wants a name for the organization when nobody invited', async () => {
    const { organization_name: _, ...body } = newcomer('nameless@example.com');
    await expectProblem(await post('/api/auth/sign-up', body), { status: 400, code: 'missing_field', param: 'organization_name' });
  });

  it('is for who was invited, unless it is open', async () => {
    const closed = await startGateway();
    try {
      const answer = await anonymously(closed, '/api/auth/sign-up', newcomer('stranger@example.com'));
      await expectProblem(answer, { status: 403, code: 'permission_denied' });
    } finally {
      await closed.stop();
    }
  });
});

describe('users', () => {
  it('change their name', async () => {
    const person = await aPerson(gateway);
    const answer = await person.call('PATCH', '/api/me', { name: '  Ann ' });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ name: 'Ann', id: person.id })]);
    await expectProblem(await person.call('PATCH', '/api/me', {}), { status: 400, code: 'invalid_request' });
  });

  it('are no API keys', async () => {
    await expectProblem(await gateway.call('/api/me'), { status: 403, code: 'permission_denied' });
  });

  it('made by an operator with too easy a password are refused', async () => {
    const { organizationId } = gateway;
    const user = { organizationId, email: 'easy@example.com', name: 'Easy', role: 'owner', password: 'password123' };
    await expect(gateway.admin.createUser(user, admin)).rejects.toEqual(
      expect.objectContaining({ code: 'invalid_value', param: 'password' }),
    );
  });
});
