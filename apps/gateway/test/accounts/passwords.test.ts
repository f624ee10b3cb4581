import { DomainError } from '@fanfare/errors';
import { anonymously, aPerson, elsewhere, mailsTo, PASSWORD, SIGNED_OUT, signIn } from '../people.ts';
import { withWrongClock } from '../wrong-clock.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Each test has an address of its own. */
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);

describe('passwords', () => {
  it('are reset with a mailed link that works once, which ends all sessions', async () => {
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

  it.each([
    [-2, 0],
    [0, 2],
    [2, -2],
  ])('are reset with a link of a gateway whose clock is wrong by %s h, at one whose clock is wrong by %s h', async (mailing, resetting) => {
    const person = await aPerson(gateway);
    const at = <T>(hours: number, run: () => Promise<T>) => withWrongClock(hours * 3_600_000, run);
    expect((await at(mailing, () => post('/api/auth/password/forgot', { email: person.email }))).status).toBe(202);
    const [mail] = (await mailsTo(gateway, person.email)).filter(({ template }) => template === 'password_reset');
    const reset = { token: mail?.token ?? '', password: 'four crusty loaves' };
    expect((await at(resetting, () => post('/api/auth/password/reset', reset))).status).toBe(200);
  });

  it('get the same response for an address without an account', async () => {
    const { email } = await aPerson(gateway);
    const responses = await Promise.all([email, 'nobody@example.com'].map((to) => post('/api/auth/password/forgot', { email: to })));
    const [one, other] = await Promise.all(responses.map(async (response) => ({ status: response.status, body: await response.json() })));
    expect(one).toEqual(other);
    expect(await mailsTo(gateway, 'nobody@example.com')).toEqual([]);
  });

  it('can be reset a few times only', async () => {
    const statuses = [];
    for (let time = 0; time < 5; time++) statuses.push((await post('/api/auth/password/forgot', { email: 'again@example.com' })).status);
    expect(statuses).toEqual([202, 202, 202, 429, 429]);
  });

  it('are changed with the current one, which ends the other sessions', async () => {
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

  it.each(['reset', 'changed'])('that are %s invalidate all links that were mailed before', async (how) => {
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

  it('are reset once in two concurrent calls', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    const choices = ['six crusty loaves', 'seven crusty loaves'];
    const responses = await Promise.all(choices.map((password) => post('/api/auth/password/reset', { token, password })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('are not reset with an expired link', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    await gateway.context.db
      .collection('verifications')
      .updateOne({ value: person.id }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
    const late = await post('/api/auth/password/reset', { token, password: 'six crusty loaves' });
    await expectProblem(late, { status: 400, code: 'invalid_value', param: 'token' });
  });

  it('are reset with a link whose first use was rejected by a full queue', async () => {
    const person = await aPerson(gateway);
    await post('/api/auth/password/forgot', { email: person.email });
    const token = (await mailsTo(gateway, person.email)).at(-1)?.token;
    const reset = () => post('/api/auth/password/reset', { token, password: 'six crusty loaves' });
    const { password } = await (await gateway.context.identity.betterAuth()).$context;
    const { hash } = password;
    password.hash = () => Promise.reject(new DomainError('rate_limit_exceeded', 'Too many at this moment.', { retryAfterSeconds: 3 }));
    await expectProblem(await reset(), { status: 429, code: 'rate_limit_exceeded' });
    password.hash = hash;
    expect((await reset()).status).toBe(200);
  });

  it.each(['reset', 'changed'])('that are %s leave no session that was started with the old one', async (how) => {
    const person = await aPerson(gateway);
    const { password } = await (await gateway.context.identity.betterAuth()).$context;
    const { verify } = password;
    const chosen = 'nine crusty loaves';
    await post('/api/auth/password/forgot', { email: person.email });
    const reset = { token: (await mailsTo(gateway, person.email)).at(-1)?.token, password: chosen };
    const replace = () =>
      how === 'reset'
        ? post('/api/auth/password/reset', reset)
        : person.call('POST', '/api/auth/password/change', { current_password: PASSWORD, password: chosen });
    // The old password is verified, and replaced before the session is created.
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

  it('are changed once in two concurrent calls', async () => {
    const person = await aPerson(gateway);
    const choices = ['six crusty loaves', 'seven crusty loaves'];
    const responses = await Promise.all(
      choices.map((password) => person.call('POST', '/api/auth/password/change', { current_password: PASSWORD, password })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it.each(['password2024', 'Qwertyuiop!!', 'aaaaaaaaaaaa', 'owner.of.it@example.com', 'short', 'x'.repeat(129), 'nul \0 nul nul'])(
    'are rejected if they are like %j',
    async (password) => {
      const email = 'owner.of.it@example.com';
      if ((await mailsTo(gateway, email)).length === 0) await post('/api/auth/sign-up', { email, name: 'Own', organization_name: 'Own' });
      const token = (await mailsTo(gateway, email))[0]?.token;
      const response = await post('/api/auth/email/verify', { token, password });
      const { code, param } = (await response.json()) as { code: string; param: string };
      expect([code, param]).toEqual([expect.stringMatching(/^(invalid_value|validation_failed)$/), 'password']);
      expect(await gateway.context.db.collection('users').countDocuments({ email })).toBe(0);
    },
  );
});
