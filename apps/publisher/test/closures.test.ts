// A business, or an organization, that is being deleted: nothing new becomes public, what is running ends with a clear result, and everything continues when
// it is opened again.
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from './running-publisher.ts';

let publisher: TestPublisher;
let scope: { organizationId: string; businessId: string };
let x: Integration;
let neighbour: Integration;
let revision = 0;

beforeAll(async () => {
  publisher = await startPublisher({ instances: 2 });
  neighbour = await publisher.connectAs('x', await publisher.sandbox.createAccount('x', 'neighbour'));
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());
beforeEach(async () => {
  scope = { organizationId: newId(), businessId: newId() };
  x = await publisher.connect('x', callAs(scope), await publisher.sandbox.createAccount('x', `closing_${revision}`));
});

const setClosure = (closed: boolean, { organization = false } = {}) =>
  publisher.client.setClosure(
    { organizationId: scope.organizationId, businessId: organization ? '' : scope.businessId, closed, revision: ++revision },
    callAs(scope),
  );
const deliveryOf = (id: string) => publisher.db.collection('deliveries').findOne({ _id: id as never });
const isWaiting = async (id: string) => ((await deliveryOf(id))?.['run_at'] as Date).getFullYear() === 9999;
const SUCCESS = { status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 };

test.each([
  ['business', false],
  ['organization', true],
])('deliveries of a closed %s wait, those of others do not, and all are published once when it is opened', async (kind, organization) => {
  await setClosure(true, { organization });
  const captions = [1, 2, 3].map((n) => `Closed ${kind} ${n}`);
  const ids = await publisher.publish(...captions.map((caption) => ({ ...scope, integration: x, caption })));
  const [other = ''] = await publisher.publish({ integration: neighbour, caption: `Beside a closed ${kind}` });
  expect(await publisher.outcome(other)).toMatchObject(SUCCESS);
  await eventually(async () => (await Promise.all(ids.map(isWaiting))).every(Boolean));
  // They report nothing, and are not late.
  expect(ids.flatMap((id) => publisher.eventsOf(id))).toEqual([]);
  const { platforms } = await publisher.client.listPlatformHealth({}, callAs(scope));
  expect(platforms.filter(({ oldestDueAt }) => oldestDueAt !== undefined)).toEqual([]);
  for (const caption of captions) expect(await publisher.sandbox.posts(caption)).toEqual([]);

  await setClosure(false, { organization });
  for (const id of ids) expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  for (const caption of captions) expect(await publisher.sandbox.posts(caption)).toHaveLength(1);
});

test('a delivery that can no longer begin in time when its business is opened says so', async () => {
  await setClosure(true);
  const [id = ''] = await publisher.publish({
    ...scope,
    integration: x,
    caption: 'Too late by then',
    publishBefore: new Date(Date.now() + 1),
  });
  await eventually(() => isWaiting(id));
  await setClosure(false);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'too_late' });
});

test('a commit that has begun gets its result, although its business was closed meanwhile', async () => {
  await publisher.sandbox.fault('x.create_post', { type: 'accept_then_drop' });
  await publisher.sandbox.fault('x.list_user_posts', { type: 'status', status: 503 }, null);
  const [id = ''] = await publisher.publish({ ...scope, integration: x, caption: 'In doubt when it closed' });
  await eventually(async () => (await deliveryOf(id))?.['commit'] !== undefined);
  await setClosure(true);
  await publisher.sandbox.clearFaults();
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  expect(await publisher.sandbox.posts('In doubt when it closed')).toHaveLength(1);
});

test('what was prepared does not become public, and does when it is opened', async () => {
  const mediaIds = [await publisher.library.addImage()];
  await publisher.sandbox.fault('x.upload_media', { type: 'hold' }, null);
  const [id = ''] = await publisher.publish({ ...scope, integration: x, caption: 'Nearly public', mediaIds });
  await eventually(async () => (await deliveryOf(id))?.['status'] === 'DELIVERY_STATUS_PROCESSING');
  await setClosure(true);
  await publisher.sandbox.clearFaults();
  await eventually(() => isWaiting(id));
  expect(await publisher.sandbox.posts('Nearly public')).toEqual([]);
  await setClosure(false);
  expect(await publisher.outcome(id)).toMatchObject(SUCCESS);
  expect(await publisher.sandbox.posts('Nearly public')).toHaveLength(1);
});
