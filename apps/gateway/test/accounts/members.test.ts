import { eventually } from '@fanfare/testing';
import { newId } from '@fanfare/runtime';
import { anOrganization, aPerson, asPerson, signIn, type Person, invitationTokenTo } from '../people.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

const audited = (organizationId: string) =>
  gateway.context.db.collection('audit_entries').find({ organization_id: organizationId }).sort({ _id: 1 }).toArray();
const DENIED = { status: 403, code: 'permission_denied' };
const NOT_FOUND = { status: 404, code: 'resource_not_found' };
const REJECTED = { status: 409, code: 'conflict' };

describe('members', () => {
  it('are listed in pages, and read one by one', async () => {
    const { owner, viewer } = await anOrganization(gateway);
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

  it('of another organization are not found', async () => {
    const [{ owner }, other] = [await anOrganization(gateway), await anOrganization(gateway)];
    await expectProblem(await owner.call('GET', `/api/members/${other.viewer.id}`), NOT_FOUND);
    await expectProblem(await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'admin' }), NOT_FOUND);
    await expectProblem(await owner.call('DELETE', `/api/members/${other.viewer.id}`), NOT_FOUND);
    const elsewhere = `/api/members?organization_id=${other.organizationId}`;
    await expectProblem(await owner.call('GET', elsewhere), { ...DENIED, param: 'organization_id' });
  });

  it('change roles according to the rank of the caller', async () => {
    const { owner, manager, editor, viewer, organizationId } = await anOrganization(gateway);
    const put = (by: Person, who: Person, role: string) => by.call('PATCH', `/api/members/${who.id}`, { role });
    await expectProblem(await put(editor, viewer, 'editor'), DENIED);
    await expectProblem(await put(viewer, viewer, 'admin'), DENIED);
    await expectProblem(await put(manager, viewer, 'owner'), DENIED);
    await expectProblem(await put(manager, owner, 'admin'), DENIED);
    await expectProblem(await put(manager, manager, 'owner'), DENIED);
    await expectProblem(await put(owner, viewer, 'king'), { status: 422, code: 'validation_failed', param: 'role' });
    const response = await put(manager, viewer, 'editor');
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ user_id: viewer.id, role: 'editor' })]);
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

  it('have a new role everywhere within 5 seconds', async () => {
    const { owner, manager, viewer } = await anOrganization(gateway);
    expect((await manager.call('GET', '/api/invitations')).status).toBe(200);
    await owner.call('PATCH', `/api/members/${manager.id}`, { role: 'viewer' });
    await eventually(async () => (await manager.call('GET', '/api/invitations')).status === 403, 5_000);
    // Even before that, changes of members check the current role.
    expect((await viewer.call('GET', '/api/members')).status).toBe(200);
    await owner.call('DELETE', `/api/members/${viewer.id}`);
    await eventually(async () => (await viewer.call('GET', '/api/members')).status === 403, 5_000);
  });

  it('cannot regain a role before the loss has taken effect everywhere', async () => {
    const { owner, manager, viewer } = await anOrganization(gateway);
    expect((await manager.call('GET', '/api/invitations')).status).toBe(200);
    expect((await owner.call('PATCH', `/api/members/${manager.id}`, { role: 'viewer' })).status).toBe(200);
    await expectProblem(await manager.call('PATCH', `/api/members/${manager.id}`, { role: 'admin' }), DENIED);
    await expectProblem(await manager.call('PATCH', `/api/members/${viewer.id}`, { role: 'admin' }), DENIED);
    expect(await (await owner.call('GET', `/api/members/${manager.id}`)).json()).toMatchObject({ role: 'viewer' });
  });

  it('that are no longer owners leave no invitation to an owner', async () => {
    const { owner, manager, organizationId } = await anOrganization(gateway);
    const second = await aPerson(gateway, 'owner', organizationId);
    const invited = async (role: string) => {
      const response = await second.call('POST', '/api/invitations', { email: `${role}-${newId()}@example.com`, role });
      return ((await response.json()) as { id: string }).id;
    };
    const [ofOwner, ofEditor] = [await invited('owner'), await invited('editor')];
    expect((await owner.call('PATCH', `/api/members/${second.id}`, { role: 'admin' })).status).toBe(200);
    const statusOf = async (id: string) =>
      ((await (await manager.call('GET', `/api/invitations/${id}`)).json()) as { status: string }).status;
    expect([await statusOf(ofOwner), await statusOf(ofEditor)]).toEqual(['cancelled', 'pending']);
  });

  it('are removed by managers, and can leave by themselves', async () => {
    const { owner, manager, editor, viewer, organizationId } = await anOrganization(gateway);
    const remove = (by: Person, who: Person) => by.call('DELETE', `/api/members/${who.id}`);
    await expectProblem(await remove(editor, viewer), DENIED);
    await expectProblem(await remove(manager, owner), DENIED);
    expect(await (await remove(editor, editor)).json()).toEqual({ status: 'deleted', keys: [] });
    expect((await remove(manager, viewer)).status).toBe(200);
    await expectProblem(await remove(manager, viewer), NOT_FOUND);
    expect(
      (await audited(organizationId)).map(({ action }) => action as string).filter((action) => /^member\.(left|removed)$/.test(action)),
    ).toEqual(['member.left', 'member.removed']);
    // They are still users, without memberships.
    const me = (await (await asPerson(gateway, await signIn(gateway, viewer.email)).call('GET', '/api/me')).json()) as object;
    expect(me).toMatchObject({ memberships: [] });
  });

  it('always include an owner', async () => {
    const { owner } = await anOrganization(gateway);
    await expectProblem(await owner.call('DELETE', `/api/members/${owner.id}`), REJECTED);
    await expectProblem(await owner.call('PATCH', `/api/members/${owner.id}`, { role: 'admin' }), REJECTED);
  });

  it('include one owner after all owners leave or step down concurrently', async () => {
    const { organizationId, owner } = await anOrganization(gateway);
    const owners = [owner, ...(await Promise.all(Array.from({ length: 5 }, () => aPerson(gateway, 'owner', organizationId))))];
    const responses = await Promise.all(
      owners.map((each, index) =>
        index % 2 === 0
          ? each.call('DELETE', `/api/members/${each.id}`)
          : each.call('PATCH', `/api/members/${each.id}`, { role: 'viewer' }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
    const left = gateway.context.db.collection('members').countDocuments({ organization_id: organizationId, role: 'owner' });
    expect(await left).toBe(1);
  });

  it('of several organizations name the organization in requests', async () => {
    const [{ owner, organizationId }, other] = [await anOrganization(gateway), await anOrganization(gateway)];
    const invited = await other.owner.call('POST', '/api/invitations', { email: owner.email, role: 'admin' });
    const { id } = (await invited.json()) as { id: string };
    const body = { invitation_token: await invitationTokenTo(gateway, owner.email) };
    expect((await owner.call('POST', `/api/invitations/${id}/accept`, body)).status).toBe(200);
    await eventually(async () => (await owner.call('GET', '/api/members')).status === 400, 5_000);
    await expectProblem(await owner.call('GET', '/api/members'), { status: 400, code: 'missing_field', param: 'organization_id' });
    const inOther = await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'editor', organization_id: other.organizationId });
    expect(inOther.status).toBe(200);
    const wrong = await owner.call('PATCH', `/api/members/${other.viewer.id}`, { role: 'editor', organization_id: organizationId });
    await expectProblem(wrong, NOT_FOUND);
  });
});

describe('changes with If-Match', () => {
  const etagOf = async (person: Person, path: string) => {
    const response = await person.call('GET', path);
    expect(response.status).toBe(200);
    return { 'if-match': response.headers.get('etag') ?? '' };
  };
  const STALE = { status: 412, code: 'precondition_failed' };

  it('change or remove a member only at the revision that was read', async () => {
    const { owner, viewer } = await anOrganization(gateway);
    const path = `/api/members/${viewer.id}`;
    const read = await etagOf(owner, path);
    expect((await owner.call('PATCH', path, { role: 'editor' }, read)).status).toBe(200);
    await expectProblem(await owner.call('PATCH', path, { role: 'admin' }, read), STALE);
    await expectProblem(await owner.call('DELETE', path, undefined, read), STALE);
    expect(await (await owner.call('GET', path)).json()).toMatchObject({ role: 'editor' });
    expect((await owner.call('DELETE', path, undefined, await etagOf(owner, path))).status).toBe(200);
  });

  it('succeed for one of two concurrent calls', async () => {
    const { owner, viewer } = await anOrganization(gateway);
    const path = `/api/members/${viewer.id}`;
    const read = await etagOf(owner, path);
    const responses = await Promise.all(['editor', 'admin'].map((role) => owner.call('PATCH', path, { role }, read)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('rename the user only at the revision that was read', async () => {
    const { owner } = await anOrganization(gateway);
    const read = await etagOf(owner, '/api/me');
    const responses = await Promise.all(['Ann', 'Anna'].map((name) => owner.call('PATCH', '/api/me', { name }, read)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await owner.call('PATCH', '/api/me', { name: 'Anne' }, await etagOf(owner, '/api/me'))).status).toBe(200);
  });

  it('cancel or resend an invitation only at the revision that was read', async () => {
    const { owner } = await anOrganization(gateway);
    const made = await owner.call('POST', '/api/invitations', { email: `match-${newId()}@example.com`, role: 'viewer' });
    const path = `/api/invitations/${((await made.json()) as { id: string }).id}`;
    const read = await etagOf(owner, path);
    expect((await owner.call('POST', `${path}/resend`, undefined, read)).status).toBe(200);
    await expectProblem(await owner.call('POST', `${path}/resend`, undefined, read), STALE);
    await expectProblem(await owner.call('DELETE', path, undefined, read), STALE);
    expect((await owner.call('DELETE', path, undefined, await etagOf(owner, path))).status).toBe(200);
  });
});
