import { eventually } from '@fanfare/testing';
import { decodeJwt } from 'jose';
import { anonymously, aPerson, asPerson, elsewhere, PASSWORD, SIGNED_OUT, signIn, type Tokens } from '../people.ts';
import { withWrongClock } from '../wrong-clock.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Each test has an address of its own. */
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);
const auditOf = (action: string) => gateway.context.db.collection('audit_entries').find({ action }).toArray();

describe('refreshing', () => {
  const refresh = (token: string) => post('/api/auth/refresh', { refresh_token: token });
  const refreshed = async (token: string) => (await (await refresh(token)).json()) as Tokens;
  /** As if the last refresh was a while ago. */
  const age = () => gateway.context.db.collection('sessions').updateMany({}, { $set: { updated_at: new Date(Date.now() - 60_000) } });

  it('exchanges a token for the next one', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await asPerson(gateway, next).call('GET', '/api/me')).status).toBe(200);
    expect((await refreshed(next.refresh_token)).user.id).toBe(tokens.user.id);
  });

  it('returns the same next token to twenty concurrent calls, and continues with it', async () => {
    const { tokens } = await aPerson(gateway);
    const all = await Promise.all(Array.from({ length: 20 }, () => refreshed(tokens.refresh_token)));
    expect(new Set(all.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    expect((await refresh(all[0]?.refresh_token ?? '')).status).toBe(200);
  });

  it('ends the session if an old token is used again, for the thief and for the owner', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    await age();
    await expectProblem(await refresh(tokens.refresh_token), SIGNED_OUT);
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
    await eventually(async () => (await asPerson(gateway, next).call('GET', '/api/me')).status === 401, 5_000);
    expect(await auditOf('session.token_reused')).toHaveLength(1);
  });

  it('ends it immediately if the next token was used already', async () => {
    const { tokens } = await aPerson(gateway);
    const next = await refreshed(tokens.refresh_token);
    await refreshed(next.refresh_token);
    await expectProblem(await refresh(tokens.refresh_token), SIGNED_OUT);
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
  });

  it('distinguishes a forged token from an old one: the session continues', async () => {
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

  it('extends a session by 30 days, up to 90 days in total', async () => {
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
    await sessions.updateOne({ _id: sid }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
    await expectProblem(await refresh(next.refresh_token), SIGNED_OUT);
  });
});

describe('sessions', () => {
  it.each([-10, 10])('have the right times on a gateway whose clock is wrong by %s days', async (days) => {
    const day = 24 * 60 * 60_000;
    const person = await aPerson(gateway);
    const sessions = () => gateway.context.db.collection('sessions').find({ user_id: person.id }).sort({ created_at: -1 }).toArray();
    const tokens = await withWrongClock(days * day, () => signIn(gateway, person.email));
    const [made] = await sessions();
    expect(Math.abs(Number(made?.['created_at']) - Date.now())).toBeLessThan(day / 2);
    expect(Math.abs(Number(made?.['expires_at']) - Date.now() - 30 * day)).toBeLessThan(day / 2);
    await withWrongClock(-days * day, async () => {
      expect((await post('/api/auth/refresh', { refresh_token: tokens.refresh_token })).status).toBe(200);
    });
  });

  it('are listed in pages, with their addresses', async () => {
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

  it('end one by one, or all but the current one; never those of others', async () => {
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
