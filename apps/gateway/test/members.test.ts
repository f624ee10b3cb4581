import { eventually } from '@fanfare/testing';
import { connectMongo, migrate } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { moveMembershipsOutOfUsers } from '../src/store/members.ts';
import { anonymously, aPerson, asPerson, mailsTo, PASSWORD, signIn, type Person } from './people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

/** An organization of its own for a test, with one person of each role in it. */
async function anOrganization() {
  const { organization } = await gateway.admin.createOrganization({ name: 'Mill', plan: 'roomy', mode: 'ORGANIZATION_MODE_TEST' }, admin);
  const organizationId = organization?.id ?? '';
  const [owner, manager, editor, viewer] = await Promise.all(
    ['owner', 'admin', 'editor', 'viewer'].map((role) => aPerson(gateway, role, organizationId)),
  );
  if (!owner || !manager || !editor || !viewer) throw new Error('Four people were asked for.');
  return { organizationId, owner, manager, editor, viewer };
}

const audited = (organizationId: string) =>
  gateway.context.db.collection('audit_entries').find({ organization_id: organizationId }).sort({ _id: 1 }).toArray();
const DENIED = { status: 403, code: 'permission_denied' };
const NOT_FOUND = { status: 404, code: 'resource_not_found' };
const REFUSED = { status: 400, code: 'invalid_request' };

describe('members', () => {
  it('are listed, page by page, and read one by one', async () => {
    const { owner, viewer } = await anOrganization();
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/api/members?limit=3${cursor && `&cursor=${cursor}`}`;
      const page = (await (await viewer.call('GET', path)).json()) as { items: { role: string }[]; next: string | null };
      seen.push(...page.items.map(({ role }) => role));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(seen.sort()).toEqual(['admin', 'editor', 'owner', 'viewer']);
    const one = await viewer.call('GET', `/api/members/${owner.id}`);
    expect(await one.json()).toEqual({
      user_id: owner.id,
      name: owner.tokens.user.name,
      email: owner.email,
      role: 'owner',
      created_at: expect.any(String),
    });
    expect(one.headers.get('etag')).toBeTruthy();
  });

  it('of another organization are nobody', async () => {
    const [{ owner }, other] = [await anOrganization(), await anOrganization()];
    await expectProblem(await owner.call('GET', `/api/members/${other.viewer.id}`), NOT_FOUND);
    await expectProblem(await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'admin' }), NOT_FOUND);
    await expectProblem(await owner.call('DELETE', `/api/members/${other.viewer.id}`), NOT_FOUND);
    const elsewhere = `/api/members?organization_id=${other.organizationId}`;
    await expectProblem(await owner.call('GET', elsewhere), { ...DENIED, param: 'organization_id' });
  });

  it('change roles by who may: each by rank', async () => {
    const { owner, manager, editor, viewer, organizationId } = await anOrganization();
    const put = (by: Person, who: Person, role: string) => by.call('PATCH', `/api/members/${who.id}`, { role });
    await expectProblem(await put(editor, viewer, 'editor'), DENIED);
    await expectProblem(await put(viewer, viewer, 'admin'), DENIED);
    await expectProblem(await put(manager, viewer, 'owner'), DENIED);
    await expectProblem(await put(manager, owner, 'admin'), DENIED);
    await expectProblem(await put(manager, manager, 'owner'), DENIED);
    await expectProblem(await put(owner, viewer, 'king'), { status: 422, code: 'validation_failed', param: 'role' });
    const answer = await put(manager, viewer, 'editor');
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ user_id: viewer.id, role: 'editor' })]);
    expect((await put(owner, manager, 'owner')).status).toBe(200);
    expect(await audited(organizationId)).toContainEqual(
      expect.objectContaining({
        action: 'member.role_changed',
        actor: `user:${manager.id}`,
        actor_name: manager.tokens.user.name,
        target_id: viewer.id,
        details: { from: 'viewer', to: 'editor' },
      }),
    );
  });

  it('feel a new role everywhere within 5 seconds', async () => {
    const { owner, manager, viewer } = await anOrganization();
    expect((await manager.call('GET', '/api/invitations')).status).toBe(200);
    await owner.call('PATCH', `/api/members/${manager.id}`, { role: 'viewer' });
    await eventually(async () => (await manager.call('GET', '/api/invitations')).status === 403, 5_000);
    // Even within them the change of members goes by what somebody is, not by what they were.
    expect((await viewer.call('GET', '/api/members')).status).toBe(200);
    await owner.call('DELETE', `/api/members/${viewer.id}`);
    await eventually(async () => (await viewer.call('GET', '/api/members')).status === 403, 5_000);
  });

  it('do not make themselves more again before their new role is felt everywhere', async () => {
    const { owner, manager, viewer } = await anOrganization();
    expect((await manager.call('GET', '/api/invitations')).status).toBe(200);
    expect((await owner.call('PATCH', `/api/members/${manager.id}`, { role: 'viewer' })).status).toBe(200);
    await expectProblem(await manager.call('PATCH', `/api/members/${manager.id}`, { role: 'admin' }), DENIED);
    await expectProblem(await manager.call('PATCH', `/api/members/${viewer.id}`, { role: 'admin' }), DENIED);
    expect(await (await owner.call('GET', `/api/members/${manager.id}`)).json()).toMatchObject({ role: 'viewer' });
  });

  it('are removed by who may, and leave by themselves', async () => {
    const { owner, manager, editor, viewer, organizationId } = await anOrganization();
    const remove = (by: Person, who: Person) => by.call('DELETE', `/api/members/${who.id}`);
    await expectProblem(await remove(editor, viewer), DENIED);
    await expectProblem(await remove(manager, owner), DENIED);
    expect(await (await remove(editor, editor)).json()).toEqual({ status: 'deleted' });
    expect((await remove(manager, viewer)).status).toBe(200);
    await expectProblem(await remove(manager, viewer), NOT_FOUND);
    expect(
      (await audited(organizationId)).map(({ action }) => action as string).filter((action) => /^member\.(left|removed)$/.test(action)),
    ).toEqual(['member.left', 'member.removed']);
    // They are still users, of nothing.
    const me = (await (await asPerson(gateway, await signIn(gateway, viewer.email)).call('GET', '/api/me')).json()) as object;
    expect(me).toMatchObject({ memberships: [] });
  });

  it('never lose their last owner', async () => {
    const { owner } = await anOrganization();
    await expectProblem(await owner.call('DELETE', `/api/members/${owner.id}`), REFUSED);
    await expectProblem(await owner.call('PATCH', `/api/members/${owner.id}`, { role: 'admin' }), REFUSED);
  });

  it('keep one owner when all owners leave or step down at once', async () => {
    const { organizationId, owner } = await anOrganization();
    const owners = [owner, ...(await Promise.all(Array.from({ length: 5 }, () => aPerson(gateway, 'owner', organizationId))))];
    const answers = await Promise.all(
      owners.map((each, index) =>
        index % 2 === 0
          ? each.call('DELETE', `/api/members/${each.id}`)
          : each.call('PATCH', `/api/members/${each.id}`, { role: 'viewer' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400]);
    const left = gateway.context.db.collection('members').countDocuments({ organization_id: organizationId, role: 'owner' });
    expect(await left).toBe(1);
  });

  it('belong to several organizations, and then say which one they mean', async () => {
    const [{ owner, organizationId }, other] = [await anOrganization(), await anOrganization()];
    const invited = await other.owner.call('POST', '/api/invitations', { email: owner.email, role: 'admin' });
    const { id } = (await invited.json()) as { id: string };
    expect((await owner.call('POST', `/api/invitations/${id}/accept`)).status).toBe(200);
    await eventually(async () => (await owner.call('GET', '/api/members')).status === 400, 5_000);
    await expectProblem(await owner.call('GET', '/api/members'), { status: 400, code: 'missing_field', param: 'organization_id' });
    const inOther = await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'editor', organization_id: other.organizationId });
    expect(inOther.status).toBe(200);
    const wrong = await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'editor', organization_id: organizationId });
    await expectProblem(wrong, NOT_FOUND);
  });
});

describe('invitations', () => {
  const invite = (by: Person, email: string, role = 'editor') => by.call('POST', '/api/invitations', { email, role });
  const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id;
  let count = 0;
  const someone = () => `invited${++count}@example.com`;

  it('bring somebody in who has no account, by the token that was mailed', async () => {
    const { owner, organizationId } = await anOrganization();
    const email = someone();
    const made = await invite(owner, ` ${email.toUpperCase()}`);
    const body = (await made.json()) as { id: string };
    expect([made.status, made.headers.get('location')]).toEqual([201, `https://api.example.com/api/invitations/${body.id}`]);
    expect(body).toMatchObject({ email, role: 'editor', status: 'pending', organization_id: organizationId, invited_by: owner.id });

    const [mail] = await mailsTo(gateway, email);
    expect(mail?.text).toContain(`/invitations/${body.id}?token=`);
    const token = mail?.token ?? '';
    const preview = await anonymously(gateway, '/api/auth/invitation', { invitation_token: token });
    expect(await preview.json()).toMatchObject({ organization_name: 'Mill', email, role: 'editor', has_account: false });

    const signUp = (more: object = {}) =>
      anonymously(gateway, '/api/auth/sign-up', { email, name: 'Guest', password: PASSWORD, invitation_token: token, ...more });
    const tampered = [token.slice(0, -2), `${token}A`, token.replace(/^./, (first) => (first === '0' ? '1' : '0')), 'x'];
    for (const wrong of tampered) {
      await expectProblem(await signUp({ invitation_token: wrong }), { status: 400, code: 'invalid_value', param: 'invitation_token' });
    }
    await expectProblem(await signUp({ email: someone() }), { status: 400, code: 'invalid_value', param: 'email' });
    const answer = await signUp();
    expect([answer.status, await answer.json()]).toEqual([202, { status: 'active' }]);
    await expectProblem(await signUp(), { status: 400, code: 'invalid_value', param: 'invitation_token' });

    const guest = asPerson(gateway, await signIn(gateway, email));
    expect(await (await guest.call('GET', '/api/me')).json()).toMatchObject({
      memberships: [{ organization_id: organizationId, role: 'editor' }],
    });
    expect(await (await owner.call('GET', `/api/invitations/${body.id}`)).json()).toMatchObject({ status: 'accepted' });
  });

  it('make one member of ten sign-ups at once', async () => {
    const { owner, organizationId } = await anOrganization();
    const email = someone();
    await invite(owner, email);
    const token = (await mailsTo(gateway, email))[0]?.token;
    const body = { email, name: 'Guest', password: PASSWORD, invitation_token: token };
    const answers = await Promise.all(Array.from({ length: 10 }, () => anonymously(gateway, '/api/auth/sign-up', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 400)]);
    const { db } = gateway.context;
    expect(await db.collection('users').countDocuments({ email })).toBe(1);
    expect(await db.collection('members').countDocuments({ organization_id: organizationId })).toBe(5);
  });

  it('take an account away from who made it with an address that is not theirs', async () => {
    const { owner } = await anOrganization();
    const email = someone();
    const squatter = {
      _id: newId(),
      email,
      name: 'Squatter',
      email_verified: false,
      pending_organization: 'Squat',
      created_at: new Date(),
    };
    await gateway.context.db.collection('users').insertOne(squatter as never);
    await invite(owner, email);
    const token = (await mailsTo(gateway, email))[0]?.token;
    const answer = await anonymously(gateway, '/api/auth/sign-up', { email, name: 'Guest', password: PASSWORD, invitation_token: token });
    expect(answer.status).toBe(202);
    const guest = asPerson(gateway, await signIn(gateway, email));
    expect(await (await guest.call('GET', '/api/me')).json()).toMatchObject({
      name: 'Guest',
      memberships: [{ organization_name: 'Mill' }],
    });
  });

  it('wait for who has an account, and are theirs alone', async () => {
    const [{ owner, viewer }, other] = [await anOrganization(), await anOrganization()];
    const id = await idOf(await invite(owner, other.viewer.email, 'admin'));
    expect(await (await other.viewer.call('GET', '/api/me')).json()).toMatchObject({
      invitations: [{ id, organization_name: 'Mill', role: 'admin' }],
    });
    await expectProblem(await viewer.call('POST', `/api/invitations/${id}/accept`), NOT_FOUND);
    await expectProblem(await other.owner.call('GET', `/api/invitations/${id}`), NOT_FOUND);
    await expectProblem(await other.owner.call('DELETE', `/api/invitations/${id}`), NOT_FOUND);
    const token = (await mailsTo(gateway, other.viewer.email)).at(-1)?.token;
    const signUp = { email: other.viewer.email, name: 'Again', password: 'a password of theirs', invitation_token: token };
    await expectProblem(await anonymously(gateway, '/api/auth/sign-up', signUp), REFUSED);

    const accepted = await other.viewer.call('POST', `/api/invitations/${id}/accept`);
    expect([accepted.status, await accepted.json()]).toEqual([200, expect.objectContaining({ status: 'accepted', role: 'admin' })]);
    await expectProblem(await other.viewer.call('POST', `/api/invitations/${id}/accept`), NOT_FOUND);
    await expectProblem(await invite(owner, other.viewer.email), { status: 400, code: 'invalid_value', param: 'email' });
  });

  it('are sent by admins, but for owners by owners', async () => {
    const { owner, manager, editor } = await anOrganization();
    await expectProblem(await invite(editor, someone()), DENIED);
    await expectProblem(await invite(manager, someone(), 'owner'), DENIED);
    expect((await invite(manager, someone(), 'admin')).status).toBe(201);
    expect((await invite(owner, someone(), 'owner')).status).toBe(201);
  });

  it('are neither sent nor sent again, nor keys made, by who has just been removed', async () => {
    const { owner, manager, organizationId } = await anOrganization();
    const id = await idOf(await invite(manager, someone()));
    const made = await manager.call('POST', '/api/keys', { name: 'Before' });
    expect(made.status).toBe(201);
    const { id: keyId } = (await made.json()) as { id: string };
    expect((await owner.call('DELETE', `/api/members/${manager.id}`)).status).toBe(200);
    await expectProblem(await invite(manager, someone(), 'admin'), DENIED);
    await expectProblem(await manager.call('POST', `/api/invitations/${id}/resend`), DENIED);
    await expectProblem(await manager.call('DELETE', `/api/invitations/${id}`), DENIED);
    await expectProblem(await manager.call('POST', '/api/keys', { name: 'After' }), DENIED);
    await expectProblem(await manager.call('POST', `/api/keys/${keyId}/rotate`, {}), DENIED);
    expect(await gateway.context.db.collection('api_keys').countDocuments({ organization_id: organizationId })).toBe(1);
  });

  it('to owners are sent again by owners only', async () => {
    const { owner, manager } = await anOrganization();
    const email = someone();
    const id = await idOf(await invite(owner, email, 'owner'));
    await expectProblem(await manager.call('POST', `/api/invitations/${id}/resend`), DENIED);
    expect((await owner.call('POST', `/api/invitations/${id}/resend`)).status).toBe(200);
    expect(await mailsTo(gateway, email)).toHaveLength(2);
  });

  it('are one at a time for an address, also among ten at once', async () => {
    const { owner } = await anOrganization();
    const email = someone();
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite(owner, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    expect(await mailsTo(gateway, email)).toHaveLength(1);
  });

  it('are made once for an Idempotency-Key', async () => {
    const { owner } = await anOrganization();
    const email = someone();
    const once = () =>
      gateway.call('/api/invitations', {
        method: 'POST',
        key: owner.tokens.access_token,
        body: JSON.stringify({ email, role: 'viewer' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
      });
    const ids = [await idOf(await once()), await idOf(await once())];
    expect(ids[0]).toBe(ids[1]);
    expect(await mailsTo(gateway, email)).toHaveLength(1);
  });

  it('end when they are cancelled or have expired; sent again they live on', async () => {
    const { owner } = await anOrganization();
    const email = someone();
    const id = await idOf(await invite(owner, email));
    const invitations = gateway.context.db.collection<{ _id: string }>('invitations');
    await invitations.updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    const [mail] = await mailsTo(gateway, email);
    const preview = () => anonymously(gateway, '/api/auth/invitation', { invitation_token: mail?.token });
    await expectProblem(await preview(), { status: 400, code: 'invalid_value', param: 'invitation_token' });
    expect(await (await owner.call('GET', `/api/invitations/${id}`)).json()).toMatchObject({ status: 'expired' });

    expect((await owner.call('POST', `/api/invitations/${id}/resend`)).status).toBe(200);
    expect((await preview()).status).toBe(200);
    expect(await mailsTo(gateway, email)).toHaveLength(2);
    expect((await owner.call('DELETE', `/api/invitations/${id}`)).status).toBe(200);
    await expectProblem(await preview(), { status: 400, code: 'invalid_value', param: 'invitation_token' });
    await expectProblem(await owner.call('POST', `/api/invitations/${id}/resend`), NOT_FOUND);

    const again = await idOf(await invite(owner, email));
    await invitations.updateOne({ _id: again }, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect((await invite(owner, email)).status).toBe(201);
    const page = (await (await owner.call('GET', '/api/invitations')).json()) as { items: { status: string }[] };
    expect(page.items.map(({ status }) => status)).toEqual(['pending', 'expired', 'cancelled']);
  });
});

describe('changes by If-Match', () => {
  const etagOf = async (person: Person, path: string) => {
    const answer = await person.call('GET', path);
    expect(answer.status).toBe(200);
    return { 'if-match': answer.headers.get('etag') ?? '' };
  };
  const STALE = { status: 412, code: 'precondition_failed' };

  it('change a member, and remove them, only as they were read', async () => {
    const { owner, viewer } = await anOrganization();
    const path = `/api/members/${viewer.id}`;
    const read = await etagOf(owner, path);
    expect((await owner.call('PATCH', path, { role: 'editor' }, read)).status).toBe(200);
    await expectProblem(await owner.call('PATCH', path, { role: 'admin' }, read), STALE);
    await expectProblem(await owner.call('DELETE', path, undefined, read), STALE);
    expect(await (await owner.call('GET', path)).json()).toMatchObject({ role: 'editor' });
    expect((await owner.call('DELETE', path, undefined, await etagOf(owner, path))).status).toBe(200);
  });

  it('change one of two at once', async () => {
    const { owner, viewer } = await anOrganization();
    const path = `/api/members/${viewer.id}`;
    const read = await etagOf(owner, path);
    const answers = await Promise.all(['editor', 'admin'].map((role) => owner.call('PATCH', path, { role }, read)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('rename yourself only as you were read', async () => {
    const { owner } = await anOrganization();
    const read = await etagOf(owner, '/api/me');
    const answers = await Promise.all(['Ann', 'Anna'].map((name) => owner.call('PATCH', '/api/me', { name }, read)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await owner.call('PATCH', '/api/me', { name: 'Anne' }, await etagOf(owner, '/api/me'))).status).toBe(200);
  });

  it('cancel an invitation, and send it again, only as it was read', async () => {
    const { owner } = await anOrganization();
    const made = await owner.call('POST', '/api/invitations', { email: `match-${newId()}@example.com`, role: 'viewer' });
    const path = `/api/invitations/${((await made.json()) as { id: string }).id}`;
    const read = await etagOf(owner, path);
    expect((await owner.call('POST', `${path}/resend`, undefined, read)).status).toBe(200);
    await expectProblem(await owner.call('POST', `${path}/resend`, undefined, read), STALE);
    await expectProblem(await owner.call('DELETE', path, undefined, read), STALE);
    expect((await owner.call('DELETE', path, undefined, await etagOf(owner, path))).status).toBe(200);
  });
});

describe('users whom a gateway of the version before made', () => {
  const aUserOfOld = async () => {
    const { organizationId } = gateway;
    const user = { _id: newId(), email: `old-${newId()}@example.com`, name: 'Old', created_at: new Date(0) };
    const memberships = [{ organization_id: organizationId, role: 'editor' }];
    await gateway.context.db.collection('users').insertOne({ ...user, memberships } as never);
    return user;
  };
  const expectMember = async (email: string, password: string) => {
    const person = asPerson(gateway, await signIn(gateway, email, password));
    const me = (await (await person.call('GET', '/api/me')).json()) as object;
    expect(me).toMatchObject({ name: 'Old', memberships: [{ organization_id: gateway.organizationId, role: 'editor' }] });
  };

  it('belong where they did, from their first sign-in on', async () => {
    const { _id, email } = await aUserOfOld();
    const { password } = await gateway.context.identity.betterAuth.$context;
    const credential = { _id: newId(), user_id: _id, provider_id: 'credential', account_id: _id, password: await password.hash(PASSWORD) };
    await gateway.context.db.collection('accounts').insertOne(credential as never);
    await expectMember(email, PASSWORD);
    await expectMember(email, PASSWORD);
    expect(await gateway.context.db.collection('members').countDocuments({ user_id: _id })).toBe(1);
  });

  it('choose their first password by mail', async () => {
    const { email } = await aUserOfOld();
    await anonymously(gateway, '/api/auth/password/forgot', { email });
    const token = (await mailsTo(gateway, email)).at(-1)?.token;
    const reset = await anonymously(gateway, '/api/auth/password/reset', { token, password: 'eleven crusty loaves' });
    expect(reset.status).toBe(200);
    await expectMember(email, 'eleven crusty loaves');
  });
});

test('memberships that users held themselves are moved out, also when it was cut short', async () => {
  const { config } = gateway.context;
  const mongo = await connectMongo({ url: config.mongo.url, database: `${config.mongo.database}_old`, service: 'test' });
  try {
    const old = { email: 'old@example.com', name: 'Old', created_at: new Date(0) };
    const memberships = [{ organization_id: 'o1', role: 'admin' }];
    await mongo.db.collection('users').insertOne({ _id: 'u1', ...old, memberships } as never);
    await mongo.db.collection('members').insertOne({ _id: 'm1', organization_id: 'o1', user_id: 'u1', role: 'admin' } as never);
    await mongo.db.collection('users').insertOne({ _id: 'u2', ...old, memberships } as never);
    await migrate(mongo.db, [{ id: 'move', up: moveMembershipsOutOfUsers }]);
    expect(await mongo.db.collection('members').countDocuments({ organization_id: 'o1', role: 'admin' })).toBe(2);
    const users = await mongo.db.collection('users').find().toArray();
    expect(users.map(({ email_verified, memberships: left }) => ({ email_verified, left }))).toEqual([
      { email_verified: true, left: undefined },
      { email_verified: true, left: undefined },
    ]);
  } finally {
    await mongo.db.dropDatabase();
    await mongo.close();
  }
});
