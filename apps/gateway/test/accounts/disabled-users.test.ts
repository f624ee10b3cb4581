import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { anonymously, aPerson, elsewhere, PASSWORD, signIn } from '../people.ts';
import { admin, expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

const disable = (userId: string, reason = 'Lost laptop') => gateway.admin.disableUser({ userId, reason, keepKeys: false }, admin);
const enable = (userId: string) => gateway.admin.enableUser({ userId }, admin);
const tryToSignIn = (email: string, password = PASSWORD) => anonymously(gateway, '/api/auth/sign-in', { email, password }, elsewhere());
const list = async (filter: { email?: string; organizationId?: string }) =>
  (await gateway.admin.listUsers({ email: undefined, organizationId: undefined, pageSize: 100, pageToken: '', ...filter }, admin)).users;

it('ends the sessions of a user within 5 seconds, and rejects sign-ins until the user is enabled', async () => {
  const person = await aPerson(gateway);
  const other = await aPerson(gateway);
  expect((await person.call('GET', '/api/me')).status).toBe(200);
  expect((await disable(person.id)).user).toMatchObject({ id: person.id, disabledAt: expect.any(Date), disabledReason: 'Lost laptop' });

  await eventually(async () => (await person.call('GET', '/api/me')).status === 401, 5_000);
  const refreshed = await anonymously(gateway, '/api/auth/refresh', { refresh_token: person.tokens.refresh_token }, elsewhere());
  await expectProblem(refreshed, { status: 401, code: 'authentication_required' });
  const problem = await expectProblem(await tryToSignIn(person.email), { status: 403, code: 'permission_denied' });
  expect(problem['detail']).toMatch(/^This user is disabled/);
  // Only a person who knows the password gets this error.
  await expectProblem(await tryToSignIn(person.email, 'quite another one'), { status: 401, code: 'authentication_required' });
  expect(await gateway.context.db.collection('sessions').countDocuments({ user_id: person.id })).toBe(0);
  expect((await other.call('GET', '/api/me')).status).toBe(200);
  // Keys of the organization still work.
  expect((await gateway.call('/api/businesses')).status).toBe(200);

  expect((await enable(person.id)).user).toMatchObject({ disabledAt: undefined, disabledReason: undefined });
  await signIn(gateway, person.email);
});

it('leaves no session to a sign-in during the disabling', async () => {
  const person = await aPerson(gateway);
  const signingIn = Array.from({ length: 8 }, () => tryToSignIn(person.email));
  await disable(person.id);
  await Promise.all(signingIn);
  expect(await gateway.context.db.collection('sessions').countDocuments({ user_id: person.id })).toBe(0);
});

it('is recorded once in the audit log of each organization, with the operator', async () => {
  const person = await aPerson(gateway);
  for (const change of [disable, disable, enable, enable]) await change(person.id);
  const entries = await gateway.context.db
    .collection('audit_entries')
    .find({ target_id: person.id, action: /^user\./ })
    .sort({ created_at: 1 })
    .toArray();
  expect(entries).toMatchObject([
    { action: 'user.disabled', actor: 'system:test', organization_id: gateway.organizationId },
    { action: 'user.enabled', actor: 'system:test', organization_id: gateway.organizationId },
  ]);
});

it('requires a reason and an existing user', async () => {
  await expect(disable(newId(), '')).rejects.toMatchObject({ code: 'missing_field', param: 'reason' });
  for (const change of [disable, enable]) await expect(change(newId())).rejects.toMatchObject({ code: 'resource_not_found' });
});

it('lists users by address or organization, with their memberships and without passwords', async () => {
  const person = await aPerson(gateway, 'editor');
  const [found, ...more] = await list({ email: ` ${person.email.toUpperCase()}` });
  expect(more).toEqual([]);
  expect(found).toEqual({
    id: person.id,
    email: person.email,
    emailVerified: true,
    name: expect.any(String),
    createdAt: expect.any(Date),
    disabledAt: undefined,
    disabledReason: undefined,
    memberships: [{ organizationId: gateway.organizationId, role: 'editor' }],
  });
  expect((await list({ organizationId: gateway.organizationId }))[0]).toEqual(found);
  await expect(list({ organizationId: newId() })).rejects.toMatchObject({ code: 'invalid_value', param: 'organization_id' });
  expect(await list({ email: 'nobody' })).toEqual([]);
  expect((await list({})).map(({ id }) => id)).toContain(person.id);
});

it('revokes the keys of the user and the keys that these created, and cancels invitations, unless they are to stay', async () => {
  const { db } = gateway.context;
  const made = async (response: Response) => (await response.json()) as { id: string; secret: string };
  const furnished = async () => {
    const person = await aPerson(gateway, 'admin');
    const own = await made(await person.call('POST', '/api/keys', { name: 'Own' }));
    const body = { method: 'POST', body: '{"name":"Child"}', headers: { 'content-type': 'application/json' } };
    const child = await made(await gateway.call('/api/keys', { key: own.secret, ...body }));
    const email = `${newId()}@example.com`;
    const invitation = await made(await person.call('POST', '/api/invitations', { email, role: 'viewer' }));
    const left = async () => [
      await db.collection('api_keys').countDocuments({ name: { $in: ['Own', 'Child'] }, revoked_at: { $exists: false } }),
      await db.collection('invitations').countDocuments({ _id: invitation.id as never, status: 'pending' }),
    ];
    return { person, ids: [own.id, child.id], left };
  };
  const disabled = await furnished();
  expect((await disable(disabled.person.id)).revokedKeyIds).toEqual(disabled.ids);
  expect(await disabled.left()).toEqual([0, 0]);
  const withKeys = await furnished();
  const { revokedKeyIds } = await gateway.admin.disableUser({ userId: withKeys.person.id, reason: 'Away', keepKeys: true }, admin);
  expect(revokedKeyIds).toEqual([]);
  expect(await withKeys.left()).toEqual([2, 1]);
});
