import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { putClock } from '@fanfare/test-clock';
import { callAs, copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from './running-publisher.ts';

interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const LEFT = { except: ['tombstones'] };
/** These change by themselves. */
const MOVING = { except: ['outbox', 'inbox', 'migrations'] };
const SUCCESS = { status: 'DELIVERY_STATUS_SUCCESS' };

const aScope = (organizationId = newId()): Scope => ({ organizationId, businessId: newId() });
const account = async (scope: Scope, username: string) =>
  publisher.connect('x', callAs(scope), await publisher.sandbox.createAccount('x', username));
const close = (scope: Scope, businessId = scope.businessId) =>
  publisher.client.setClosure({ organizationId: scope.organizationId, businessId, closed: true, revision: 1 }, callAs(scope));
const published = async (scope: Scope, integration: Integration, caption: string) => {
  const [id = ''] = await publisher.publish({ ...scope, integration, caption });
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
};
/** An account with a published post, one that waits for its business to be opened, and a connection that nobody has finished. */
async function furnish(scope: Scope, username: string): Promise<Integration> {
  const integration = await account(scope, username);
  await published(scope, integration, `Published by ${username}`);
  await publisher.client.beginConnection(
    { platform: 'facebook', redirectUri: publisher.redirectUri, connectionId: newId() },
    callAs(scope),
  );
  return integration;
}
const erasing = ({ organizationId, businessId }: Scope, wholeOrganization = false) => ({
  organizationId,
  businessIds: [businessId],
  wholeOrganization,
});
/** Repeats the call as the gateway does. @returns what it waited for */
async function erase(scope: Scope, wholeOrganization = false): Promise<string[]> {
  const waited: string[] = [];
  await eventually(async () => {
    const { done, waitingFor } = await publisher.client.erase(erasing(scope, wholeOrganization), callAs(scope));
    if (waitingFor !== '') waited.push(waitingFor);
    return done;
  }, 60_000);
  return waited;
}

test('nothing of an erased business is left but its posts on the platforms, its access is revoked, and late events publish nothing', async () => {
  const scope = aScope();
  const [sibling, stranger] = [aScope(scope.organizationId), aScope()];
  const x = await furnish(scope, 'to_be_erased');
  await furnish(sibling, 'a_sibling');
  await furnish(stranger, 'a_stranger');
  await close(scope);
  const [waiting = ''] = await publisher.publish({ ...scope, integration: x, caption: 'Never published' });
  await eventually(async () => (await publisher.db.collection('deliveries').findOne({ _id: waiting as never })) !== null);
  const { organizationId } = scope;
  const asked = { at: new Date() };
  await publisher.db.collection('budgets').insertOne({ _id: `x/reads/${x.accountId}/clock/${organizationId}` as never, spent: [], asked });
  const kept = [sibling.businessId, stranger.businessId];
  const before = await copyOf(publisher.db, kept, MOVING);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['connections', 'deliveries', 'integrations', 'ledger']));
  const revoked = (await publisher.sandbox.exchanges('x.revoke_token')).length;

  await erase(scope);
  expect(await findEverywhere(publisher.db, [scope.businessId, x.id, x.accountId], LEFT)).toEqual([]);
  expect(await copyOf(publisher.db, kept, MOVING)).toEqual(before);
  // Both of its tokens.
  expect((await publisher.sandbox.exchanges('x.revoke_token')).length).toBe(revoked + 2);
  expect(await publisher.sandbox.posts('Published by to_be_erased')).toHaveLength(1);
  expect(await publisher.sandbox.posts('Never published')).toEqual([]);
  const { problems } = await publisher.client.verifyLedger({ ...scope, postId: undefined, pageToken: '' }, callAs(scope));
  expect(problems).toEqual([]);

  // A publication that content requested before it was closed, and Kafka delivers now.
  await publisher.publish({ ...scope, integration: x, caption: 'Never published' });
  const neighbour = await account(stranger, 'another_stranger');
  await published(stranger, neighbour, 'Published after a late event');
  expect(await findEverywhere(publisher.db, [scope.businessId], LEFT)).toEqual([]);
  expect(await publisher.sandbox.posts('Never published')).toEqual([]);
  expect(await publisher.client.erase(erasing(scope), callAs(scope))).toEqual({ done: true, erased: 0, waitingFor: '' });
});

test('a running publish ends with a clear result before anything of it is erased, and is not repeated', async () => {
  const scope = aScope();
  const x = await account(scope, 'in_doubt_at_the_end');
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, null);
  const [id = ''] = await publisher.publish({ ...scope, integration: x, caption: 'Erased in doubt' });
  await eventually(async () => (await publisher.db.collection('deliveries').findOne({ _id: id as never }))?.['commit'] !== undefined);
  await close(scope);
  const { done, waitingFor } = await publisher.client.erase(erasing(scope), callAs(scope));
  expect({ done, waitingFor }).toEqual({ done: false, waitingFor: '1 deliveries and 0 removals that are running' });
  await publisher.sandbox.clearFaults();
  await erase(scope);
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  expect(await publisher.sandbox.posts('Erased in doubt')).toHaveLength(1);
  expect(await publisher.sandbox.exchanges('x.create_post', 'Erased in doubt')).toHaveLength(1);
  expect(await findEverywhere(publisher.db, [scope.businessId], LEFT)).toEqual([]);
});

test('it waits for the revocation while the platform is unavailable', async () => {
  const scope = aScope();
  await account(scope, 'revoked_later');
  await close(scope);
  await publisher.sandbox.fault('x.revoke_token', { type: 'status', status: 503 }, 3);
  const waited = await erase(scope);
  expect(waited).toContain('1 accounts whose access is being revoked at the platforms');
  expect(await findEverywhere(publisher.db, [scope.businessId], LEFT)).toEqual([]);
});

test('nothing of an erased organization is left, and what it used of our quotas still counts', async () => {
  const scope = aScope();
  const [second, stranger] = [aScope(scope.organizationId), aScope()];
  await furnish(scope, 'first_of_two');
  await furnish(second, 'second_of_two');
  await furnish(stranger, 'a_third_one');
  const quotas = publisher.db.collection<{ _id: string; spent: { key: string; at: Date; amount: number }[] }>('budgets');
  const at = new Date();
  const spent = [scope, stranger].map(({ organizationId }) => ({ key: organizationId, at, amount: 3 }));
  await quotas.insertOne({ _id: 'youtube/videos_insert', spent });
  const byClock = [scope, stranger].map(({ organizationId }) => `youtube/videos_insert/clock/${organizationId}`);
  await quotas.insertMany(byClock.map((_id) => ({ _id, spent: [] })));
  for (const { organizationId } of [scope, stranger]) await putClock(publisher.db, organizationId, 1);
  await publisher.client.putPause(
    { platform: undefined, integrationId: undefined, organizationId: scope.organizationId, reason: 'Unpaid', suspension: true },
    callAs(scope),
  );
  await close(scope, '');
  const request = { organizationId: scope.organizationId, businessIds: [scope.businessId, second.businessId], wholeOrganization: true };
  await eventually(async () => (await publisher.client.erase(request, callAs(scope))).done, 60_000);
  expect(await findEverywhere(publisher.db, [scope.organizationId, scope.businessId, second.businessId], LEFT)).toEqual([]);
  expect((await quotas.findOne({ _id: 'youtube/videos_insert' }))?.spent).toEqual([
    { key: 'erased', at, amount: 3 },
    { key: stranger.organizationId, at, amount: 3 },
  ]);
  const ofStranger = [quotas, publisher.db.collection<{ _id: string }>('test_clocks')].map((all) =>
    all.countDocuments({ _id: { $in: [byClock[1] ?? '', stranger.organizationId] } }),
  );
  expect(await Promise.all(ofStranger)).toEqual([1, 1]);
  expect(
    publisher.peer.received(topics.integrationChanged).filter(({ data }) => data.integration?.status === 'INTEGRATION_STATUS_DISCONNECTED'),
  ).toEqual([]);
});
