import { newId } from '@fanfare/runtime';
import { anonymously, anOrganization, asPerson, mailsTo, PASSWORD, signIn, type Person } from '../people.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

const DENIED = { status: 403, code: 'permission_denied' };
const NOT_FOUND = { status: 404, code: 'resource_not_found' };
const REJECTED = { status: 409, code: 'conflict' };

describe('invitations', () => {
  const invite = (by: Person, email: string, role = 'editor') => by.call('POST', '/api/invitations', { email, role });
  const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
  let count = 0;
  const someone = () => `invited${++count}@example.com`;

  it('create a member without an account, with the mailed token', async () => {
    const { owner, organizationId } = await anOrganization(gateway);
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
    const response = await signUp();
    expect([response.status, await response.json()]).toEqual([202, { status: 'active' }]);
    await expectProblem(await signUp(), { status: 400, code: 'invalid_value', param: 'invitation_token' });

    const guest = asPerson(gateway, await signIn(gateway, email));
    expect(await (await guest.call('GET', '/api/me')).json()).toMatchObject({
      memberships: [{ organization_id: organizationId, role: 'editor' }],
    });
    expect(await (await owner.call('GET', `/api/invitations/${body.id}`)).json()).toMatchObject({ status: 'accepted' });
  });

  it('create one member in ten concurrent sign-ups', async () => {
    const { owner, organizationId } = await anOrganization(gateway);
    const email = someone();
    await invite(owner, email);
    const token = (await mailsTo(gateway, email))[0]?.token;
    const body = { email, name: 'Guest', password: PASSWORD, invitation_token: token };
    const responses = await Promise.all(Array.from({ length: 10 }, () => anonymously(gateway, '/api/auth/sign-up', body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 400)]);
    const { db } = gateway.context;
    expect(await db.collection('users').countDocuments({ email })).toBe(1);
    expect(await db.collection('members').countDocuments({ organization_id: organizationId })).toBe(5);
  });

  it('take an account away from a person who created it with an address of another', async () => {
    const { owner } = await anOrganization(gateway);
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
    const response = await anonymously(gateway, '/api/auth/sign-up', { email, name: 'Guest', password: PASSWORD, invitation_token: token });
    expect(response.status).toBe(202);
    const guest = asPerson(gateway, await signIn(gateway, email));
    expect(await (await guest.call('GET', '/api/me')).json()).toMatchObject({
      name: 'Guest',
      memberships: [{ organization_name: 'Mill' }],
    });
  });

  it('are listed for the invited user only, until accepted', async () => {
    const [{ owner, viewer }, other] = [await anOrganization(gateway), await anOrganization(gateway)];
    const id = await idOf(await invite(owner, other.viewer.email, 'admin'));
    expect(await (await other.viewer.call('GET', '/api/me')).json()).toMatchObject({
      invitations: [{ id, organization_name: 'Mill', role: 'admin' }],
    });
    const token = (await mailsTo(gateway, other.viewer.email)).at(-1)?.token;
    const accept = (by: Person) => by.call('POST', `/api/invitations/${id}/accept`, { invitation_token: token });
    await expectProblem(await accept(viewer), NOT_FOUND);
    await expectProblem(await other.owner.call('GET', `/api/invitations/${id}`), NOT_FOUND);
    await expectProblem(await other.owner.call('DELETE', `/api/invitations/${id}`), NOT_FOUND);
    const signUp = { email: other.viewer.email, name: 'Again', password: 'a password of theirs', invitation_token: token };
    await expectProblem(await anonymously(gateway, '/api/auth/sign-up', signUp), REJECTED);

    const accepted = await accept(other.viewer);
    expect([accepted.status, await accepted.json()]).toEqual([200, expect.objectContaining({ status: 'accepted', role: 'admin' })]);
    await expectProblem(await accept(other.viewer), NOT_FOUND);
    await expectProblem(await invite(owner, other.viewer.email), { status: 400, code: 'invalid_value', param: 'email' });
  });

  it('are sent by admins, and to owners by owners', async () => {
    const { owner, manager, editor } = await anOrganization(gateway);
    await expectProblem(await invite(editor, someone()), DENIED);
    await expectProblem(await invite(manager, someone(), 'owner'), DENIED);
    expect((await invite(manager, someone(), 'admin')).status).toBe(201);
    expect((await invite(owner, someone(), 'owner')).status).toBe(201);
  });

  it('are not sent by a member who has just been removed, nor are keys created', async () => {
    const { owner, manager, organizationId } = await anOrganization(gateway);
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

  it('end with the role of their sender, who cannot come back with one', async () => {
    const { owner, manager } = await anOrganization(gateway);
    const [removed, others] = [someone(), someone()];
    const ids = [await idOf(await invite(manager, removed, 'admin')), await idOf(await invite(owner, others))];
    expect((await owner.call('DELETE', `/api/members/${manager.id}`)).status).toBe(200);
    const statuses = ids.map(
      async (id) => ((await (await owner.call('GET', `/api/invitations/${id}`)).json()) as { status: string }).status,
    );
    expect(await Promise.all(statuses)).toEqual(['cancelled', 'pending']);
    const body = { email: removed, name: 'Back', password: PASSWORD, invitation_token: (await mailsTo(gateway, removed))[0]?.token };
    const back = await anonymously(gateway, '/api/auth/sign-up', body);
    await expectProblem(back, { status: 400, code: 'invalid_value', param: 'invitation_token' });
  });

  it('to owners are sent again by owners only', async () => {
    const { owner, manager } = await anOrganization(gateway);
    const email = someone();
    const id = await idOf(await invite(owner, email, 'owner'));
    await expectProblem(await manager.call('POST', `/api/invitations/${id}/resend`), DENIED);
    expect((await owner.call('POST', `/api/invitations/${id}/resend`)).status).toBe(200);
    expect(await mailsTo(gateway, email)).toHaveLength(2);
  });

  it('are limited to one per address, even in ten concurrent calls', async () => {
    const { owner } = await anOrganization(gateway);
    const email = someone();
    const responses = await Promise.all(Array.from({ length: 10 }, () => invite(owner, email)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    expect(await mailsTo(gateway, email)).toHaveLength(1);
  });

  it('are created once for an Idempotency-Key', async () => {
    const { owner } = await anOrganization(gateway);
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

  it('end when they are cancelled or expire; sending one again renews it', async () => {
    const { owner } = await anOrganization(gateway);
    const email = someone();
    const id = await idOf(await invite(owner, email));
    const invitations = gateway.context.db.collection<{ _id: string }>('invitations');
    await invitations.updateOne({ _id: id }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
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
    await invitations.updateOne({ _id: again }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
    expect((await invite(owner, email)).status).toBe(201);
    const page = (await (await owner.call('GET', '/api/invitations')).json()) as { items: { status: string }[] };
    expect(page.items.map(({ status }) => status)).toEqual(['pending', 'expired', 'cancelled']);
  });
});
