import { eventually } from '@fanfare/testing';
import { newId } from '@fanfare/runtime';
import { anonymously, aPerson, asPerson, elsewhere, mailsTo, PASSWORD, SIGNED_OUT, signIn } from './people.ts';
import { expectProblem, startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Each test comes from an address of its own. */
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);
const auditOf = (action: string) => gateway.context.db.collection('audit_entries').find({ action }).toArray();

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
