import { newId } from '@fanfare/runtime';
import { anonymously, anOrganization, aPerson, asPerson, elsewhere, mailsTo, PASSWORD, SIGNED_OUT, signIn } from '../people.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** Each test has an address of its own. */
const post = (path: string, body: unknown, from = elsewhere()) => anonymously(gateway, path, body, from);
const auditOf = (action: string) => gateway.context.db.collection('audit_entries').find({ action }).toArray();

const WRONG_TOKEN = { status: 400, code: 'invalid_value', param: 'token' };

describe('signing up', () => {
  const newcomer = (email: string) => ({ email, name: 'New', organization_name: 'New Bakery' });
  const verify = (token: string | undefined, password = PASSWORD) => post('/api/auth/email/verify', { token, password });

  it('creates an account and an organization once the address is confirmed', async () => {
    const email = 'new@example.com';
    const response = await post('/api/auth/sign-up', newcomer(email));
    expect([response.status, await response.json()]).toEqual([202, { status: 'confirmation_sent' }]);
    await expectProblem(await post('/api/auth/sign-in', { email, password: PASSWORD }), SIGNED_OUT);

    const [mail, ...more] = await mailsTo(gateway, email);
    expect([mail?.template, more]).toEqual(['verification', []]);
    await expectProblem(await verify(`${mail?.token}x`), WRONG_TOKEN);
    const weak = { status: 400, code: 'invalid_value', param: 'password' };
    await expectProblem(await verify(mail?.token, 'password2024'), weak);
    expect((await verify(mail?.token)).status).toBe(200);

    const person = asPerson(gateway, await signIn(gateway, email));
    const { memberships } = (await (await person.call('GET', '/api/me')).json()) as { memberships: object[] };
    expect(memberships).toEqual([expect.objectContaining({ organization_name: 'New Bakery', role: 'owner', plan: 'default' })]);
  });

  it('accepts no password, because the person who confirms the address may not have chosen it', async () => {
    const response = await post('/api/auth/sign-up', { ...newcomer('early@example.com'), password: PASSWORD });
    await expectProblem(response, { status: 400, code: 'invalid_request', param: 'password' });
    expect(await mailsTo(gateway, 'early@example.com')).toEqual([]);
  });

  it('gains a stranger nothing who signs up with the address of an invited person', async () => {
    const { owner, organizationId } = await anOrganization(gateway);
    const email = 'invited.victim@example.com';
    await owner.call('POST', '/api/invitations', { email, role: 'admin' });
    await post('/api/auth/sign-up', { ...newcomer(email), name: 'Squatter', organization_name: 'Squat' });
    const mails = await mailsTo(gateway, email);
    const [invitation, verification] = ['invitation', 'verification'].map((template) => mails.find((mail) => mail.template === template));
    // The victim confuses the two mails.
    expect((await verify(verification?.token, 'a password of the victim')).status).toBe(200);
    const victim = asPerson(gateway, await signIn(gateway, email, 'a password of the victim'));
    const [waiting] = ((await (await victim.call('GET', '/api/me')).json()) as { invitations: { id: string }[] }).invitations;
    const accept = (body: object) => victim.call('POST', `/api/invitations/${waiting?.id}/accept`, body);
    await expectProblem(await accept({}), { status: 400, code: 'missing_field', param: 'invitation_token' });
    await expectProblem(await accept({ invitation_token: verification?.token }), {
      status: 400,
      code: 'invalid_value',
      param: 'invitation_token',
    });
    expect(await gateway.context.db.collection('members').countDocuments({ organization_id: organizationId })).toBe(4);
    expect((await accept({ invitation_token: invitation?.token })).status).toBe(200);
  });

  it('neither ends nor imitates the sign-up of another with the same address', async () => {
    const email = 'victim@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    await post('/api/auth/sign-up', { ...newcomer(email), name: 'Squatter', organization_name: 'Squat' });
    const mails = await mailsTo(gateway, email);
    expect(mails.map(({ template }) => template)).toEqual(['verification', 'verification']);
    const texts = mails.map(({ text }) => [text.includes('New Bakery'), text.includes('already signed up with this address')]);
    expect(texts).toEqual([
      [true, false],
      [false, true],
    ]);
    expect((await verify(mails[0]?.token)).status).toBe(200);
    // From now on the account exists, and no other link creates or changes it.
    await expectProblem(await verify(mails[1]?.token, 'a password of a squatter'), WRONG_TOKEN);

    const person = asPerson(gateway, await signIn(gateway, email));
    expect(await (await person.call('GET', '/api/me')).json()).toMatchObject({
      name: 'New',
      memberships: [{ organization_name: 'New Bakery', role: 'owner' }],
    });
  });

  it('takes over an unconfirmed account that a previous version created', async () => {
    const email = 'half.made@example.com';
    const { password } = await (await gateway.context.identity.betterAuth()).$context;
    const squatter = {
      _id: newId(),
      email,
      name: 'Squatter',
      email_verified: false,
      pending_organization: 'Squat',
      created_at: new Date(),
    };
    const chosen = { _id: newId(), user_id: squatter._id, provider_id: 'credential', account_id: squatter._id };
    await gateway.context.db.collection('users').insertOne(squatter as never);
    await gateway.context.db.collection('accounts').insertOne({ ...chosen, password: await password.hash('of the squatter') } as never);
    await expectProblem(await post('/api/auth/sign-in', { email, password: 'of the squatter' }), SIGNED_OUT);
    await post('/api/auth/sign-up', newcomer(email));
    expect((await verify((await mailsTo(gateway, email))[0]?.token)).status).toBe(200);
    await expectProblem(await post('/api/auth/sign-in', { email, password: 'of the squatter' }), SIGNED_OUT);
    const person = asPerson(gateway, await signIn(gateway, email));
    expect(await (await person.call('GET', '/api/me')).json()).toMatchObject({
      name: 'New',
      memberships: [{ organization_name: 'New Bakery' }],
    });
  });

  it('sends the mail again, with a link that works for an hour from then on', async () => {
    const email = 'again@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    const { db } = gateway.context;
    const [late, soon] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    await db.collection('sign_ups').updateOne({ email }, { $set: { expires_at: soon } });
    expect((await post('/api/auth/email/resend', { email })).status).toBe(202);
    const [first, second] = await mailsTo(gateway, email);
    const expiry = ((await db.collection('sign_ups').findOne({ email }))?.['expires_at'] as Date).getTime();
    expect(expiry).toBeGreaterThan(soon.getTime());

    const row = await db.collection('sign_ups').findOne({ email });
    await db.collection('sign_ups').updateOne({ email }, { $set: { expires_at: late } });
    await expectProblem(await verify(first?.token), WRONG_TOKEN);
    // No open sign-up is left to send again.
    await post('/api/auth/email/resend', { email });
    expect(await mailsTo(gateway, email)).toHaveLength(2);
    // MongoDB deletes what has expired, now and then.
    await db.collection('sign_ups').replaceOne({ email }, { ...row, expires_at: soon }, { upsert: true });
    expect((await verify(second?.token)).status).toBe(200);
  });

  it('sends the mails of all sign-ups with the address again, because it is unknown who requests it', async () => {
    const email = 'all@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    await post('/api/auth/sign-up', { ...newcomer(email), name: 'Squatter', organization_name: 'Squat' });
    await post('/api/auth/email/resend', { email });
    const again = (await mailsTo(gateway, email)).slice(2);
    expect(again.map(({ text }) => text.includes('already signed up with this address'))).toEqual([true, true]);
    const own = again.find(({ text }) => text.includes('New Bakery'));
    expect((await verify(own?.token)).status).toBe(200);
    const person = asPerson(gateway, await signIn(gateway, email));
    expect(await (await person.call('GET', '/api/me')).json()).toMatchObject({ memberships: [{ organization_name: 'New Bakery' }] });
  });

  it('stores nothing from which a link could be created', async () => {
    const email = 'kept@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    const [mail] = await mailsTo(gateway, email);
    const stored = JSON.stringify(await gateway.context.db.collection('sign_ups').find().toArray());
    expect(stored).toContain(email);
    expect(stored).not.toContain(mail?.token.split('.').at(-1));
  });

  it('does not take over an account that an operator of a previous version created', async () => {
    const email = 'made.before@example.com';
    const memberships = [{ organization_id: gateway.organizationId, role: 'owner' }];
    await gateway.context.db
      .collection('users')
      .insertOne({ _id: newId(), email, name: 'Old', created_at: new Date(0), memberships } as never);
    expect((await post('/api/auth/sign-up', newcomer(email))).status).toBe(202);
    expect((await mailsTo(gateway, email)).map(({ template }) => template)).toEqual(['account_exists']);
    await expectProblem(await post('/api/auth/sign-in', { email, password: PASSWORD }), SIGNED_OUT);
  });

  it('is confirmed once in concurrent calls', async () => {
    const email = 'clicks@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    const [mail] = await mailsTo(gateway, email);
    const passwords = ['one crusty loaf', 'two crusty loaves', 'six crusty loaves'];
    const responses = await Promise.all(passwords.map((password) => verify(mail?.token, password)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const user = await gateway.context.db.collection('users').findOne({ email });
    expect((await auditOf('email.verified')).filter(({ target_id }) => target_id === String(user?._id))).toHaveLength(1);
    await signIn(gateway, email, passwords[responses.findIndex(({ status }) => status === 200)]);
  });

  it('creates no second account if an invitation created one in the meantime', async () => {
    const { owner } = await anOrganization(gateway);
    const email = 'both@example.com';
    await post('/api/auth/sign-up', newcomer(email));
    await owner.call('POST', '/api/invitations', { email, role: 'viewer' });
    const mails = await mailsTo(gateway, email);
    const invited = { email, name: 'Guest', password: PASSWORD, invitation_token: mails[1]?.token };
    expect((await post('/api/auth/sign-up', invited)).status).toBe(202);
    await expectProblem(await verify(mails[0]?.token, 'another password'), { status: 409, code: 'conflict' });
    expect((await post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('mails an address a few times only, whoever requests it', async () => {
    const email = 'not.mine@example.com';
    for (let time = 0; time < 3; time++) await post('/api/auth/sign-up', newcomer(email));
    for (let time = 0; time < 3; time++) await post('/api/auth/email/resend', { email });
    expect(await mailsTo(gateway, email)).toHaveLength(3);
  });

  it('does not reveal whether an account exists; its owner gets a mail', async () => {
    const { email } = await aPerson(gateway);
    const response = await post('/api/auth/sign-up', newcomer(email));
    expect([response.status, await response.json()]).toEqual([202, { status: 'confirmation_sent' }]);
    expect((await mailsTo(gateway, email)).map(({ template }) => template)).toEqual(['account_exists']);
    expect((await post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it.each([
    ['name', 'Verify at https://evil.example/x'],
    ['name', 'www.evil.example'],
    ['name', 'evil.example/sign-in'],
    ['name', 'Ask help@evil.example'],
    ['name', 'Ann\nYour account is locked'],
    ['name', 'Ann\u2028Locked'],
    ['name', 'Ann \u202egnp.exe'],
    ['name', 'x'.repeat(101)],
    ['organization_name', 'Bakers https://evil.example'],
    ['organization_name', 'Bakers\u2066'],
  ])('rejects a %s like %j, which would be shown in a mail to others', async (param, value) => {
    const email = 'unasked@example.com';
    const response = await post('/api/auth/sign-up', { ...newcomer(email), [param]: value });
    await expectProblem(response, { status: 422, code: 'validation_failed', param });
    expect(await mailsTo(gateway, email)).toEqual([]);
  });

  it.each(['Jean-Luc O’Neill, Jr.', 'Dr. med. Ada', 'Booking.com', 'Müller & Söhne (Est. 1901)', 'محمد', 'A/B: Tests'])(
    'accepts a name like %j',
    async (name) => {
      const person = await aPerson(gateway);
      expect(await (await person.call('PATCH', '/api/me', { name })).json()).toMatchObject({ name });
    },
  );

  it('requires a name of the organization without an invitation', async () => {
    const { organization_name: _, ...body } = newcomer('nameless@example.com');
    await expectProblem(await post('/api/auth/sign-up', body), { status: 400, code: 'missing_field', param: 'organization_name' });
  });

  it('requires a password with an invitation', async () => {
    const body = { ...newcomer('wordless@example.com'), invitation_token: 'x' };
    await expectProblem(await post('/api/auth/sign-up', body), { status: 400, code: 'missing_field', param: 'password' });
  });

  it('is for invited people, unless it is open', async () => {
    const closed = await startGateway();
    try {
      const response = await anonymously(closed, '/api/auth/sign-up', newcomer('stranger@example.com'));
      await expectProblem(response, { status: 403, code: 'permission_denied' });
    } finally {
      await closed.stop();
    }
  });
});
