import { newId } from '@fanfare/runtime';
import { callAs, copyOf, eventually, findEverywhere } from '@fanfare/testing';
import { aReceiver } from './a-receiver.ts';
import { startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

let receiver: Awaited<ReturnType<typeof aReceiver>>;
let webhooks: TestWebhooks;
beforeAll(async () => {
  receiver = await aReceiver();
  webhooks = await startWebhooks({ origins: [receiver.origin] });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
});

const LEFT = { except: ['tombstones'] };
const MOVING = { except: ['outbox', 'inbox', 'migrations', 'endpoints'] };
const erase = async (scope: Scope, businessIds: string[], wholeOrganization = false) => {
  const request = { organizationId: scope.organizationId, businessIds, wholeOrganization };
  await eventually(async () => (await webhooks.api.erase(request, callAs(scope))).done);
};
/** Something happens to a post and an account, and every endpoint of the organization has received it. */
async function happen(scope: Scope): Promise<void> {
  const before = (await webhooks.list(scope)).events.length;
  await webhooks.changed(scope, { id: newId(), revision: 2, status: 'POST_STATUS_SCHEDULED' }, ['POST_CHANGE_SCHEDULED']);
  await webhooks.account(scope, { id: newId(), revision: 1 });
  await eventually(async () => (await webhooks.list(scope)).events.length === before + 2);
  await eventually(
    async () =>
      (await webhooks.db.collection('deliveries').countDocuments({ organization_id: scope.organizationId, status: 'pending' })) === 0,
  );
}

test('events of an erased business are erased, with what was sent of them, and the feed continues', async () => {
  const scope = webhooks.aScope();
  const [sibling, stranger] = [{ ...scope, businessId: newId() }, webhooks.aScope()];
  const all = await webhooks.endpoint(scope, `${receiver.origin}/all`);
  const onlyGone = await webhooks.endpoint(scope, `${receiver.origin}/gone`, { businessIds: [scope.businessId] });
  const both = await webhooks.endpoint(scope, `${receiver.origin}/both`, { businessIds: [scope.businessId, sibling.businessId] });
  await webhooks.endpoint(stranger, `${receiver.origin}/stranger`);
  for (const each of [sibling, scope, stranger, sibling]) await happen(each);
  const kept = [sibling.businessId, stranger.businessId];
  const before = await copyOf(webhooks.db, kept, MOVING);
  expect(Object.keys(before)).toEqual(['deliveries', 'events', 'snapshots']);

  await erase(scope, [scope.businessId]);
  expect(await findEverywhere(webhooks.db, [scope.businessId], LEFT)).toEqual([]);
  expect(await copyOf(webhooks.db, kept, MOVING)).toEqual(before);
  // An endpoint that selected only this business is erased; without a filter it would get the events of all.
  const endpoints = (await webhooks.api.listEndpoints({}, callAs(scope))).endpoints.map(({ id, businessIds }) => [id, businessIds]);
  expect(endpoints).toEqual([
    [both.id, [sibling.businessId]],
    [all.id, []],
  ]);
  expect(endpoints).not.toContainEqual([onlyGone.id, expect.anything()]);

  // A late event appears nowhere; the feed continues with the others, without a gap that a reader would notice.
  const [last] = (await webhooks.list(scope)).events.slice(-1);
  await webhooks.changed(scope, { id: newId(), revision: 2, status: 'POST_STATUS_SCHEDULED' }, ['POST_CHANGE_SCHEDULED']);
  await happen(sibling);
  const { events } = await webhooks.list(scope, { after: last?.sequence });
  expect(events).toHaveLength(2);
  expect(events.map(({ businessId }) => businessId)).toEqual([sibling.businessId, sibling.businessId]);
  expect(await findEverywhere(webhooks.db, [scope.businessId], LEFT)).toEqual([]);
});

test('nothing of an erased organization is left', async () => {
  const scope = webhooks.aScope();
  await webhooks.endpoint(scope, `${receiver.origin}/erased`);
  await happen(scope);
  await erase(scope, [scope.businessId], true);
  expect(await findEverywhere(webhooks.db, [scope.organizationId, scope.businessId], LEFT)).toEqual([]);
});
