import { topics } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { BSON } from 'mongodb';
import { hashState } from '../../src/accounts/store/connections.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());

const aBusiness = () => callAs({ organizationId: newId(), businessId: newId() });

async function consented(platform: string, call = publisher.call) {
  const { authorizeUrl } = await publisher.client.beginConnection({ platform, redirectUri: publisher.redirectUri }, call);
  return publisher.consent(authorizeUrl);
}
const complete = (granted: { code: string; state: string }, call = publisher.call) => publisher.client.completeConnection(granted, call);
const rejection = { code: 'invalid_request', param: 'state' };

test.each(['facebook', 'instagram', 'x'])('an account of %s is connected, listed and emitted, without its tokens', async (platform) => {
  const call = aBusiness();
  const integration = await publisher.connect(platform, call);
  expect(integration).toMatchObject({ platform, status: 'INTEGRATION_STATUS_CONNECTED', revision: 1 });
  expect(integration.username).not.toBe('');
  const { integrations } = await publisher.client.listIntegrations({ pageSize: 100, pageToken: '' }, call);
  expect(integrations).toContainEqual(integration);
  const announced = await eventually(() =>
    publisher.peer.received(topics.integrationChanged).find(({ data }) => data.integration?.id === integration.id),
  );
  expect(announced.data.integration).toEqual(integration);
});

test('no token is in the database or an event in plain text', async () => {
  const call = aBusiness();
  for (const platform of ['facebook', 'instagram', 'x']) await publisher.connect(platform, call);
  await eventually(() => publisher.peer.received(topics.integrationChanged).length >= 3);
  const { db } = publisher;
  const everything = await Promise.all(
    (await db.collections()).map(async (collection) => BSON.EJSON.stringify(await collection.find().toArray(), { relaxed: true })),
  );
  const stored = everything.join('\n');
  expect(stored).toContain('"tokens":"test.');
  // Every token of the sandbox has this prefix.
  expect(stored).not.toMatch(/sbx\w*_/);
  expect(JSON.stringify(publisher.peer.received(topics.integrationChanged))).not.toMatch(/sbx\w*_|"tokens"/);
});

test('a state works once', async () => {
  const granted = await consented('x');
  await complete(granted);
  await expect(complete(granted)).rejects.toMatchObject(rejection);
});

test('no state is in the database, and a stored value does not work as a state', async () => {
  const { state, code } = await consented('x');
  const everything = await Promise.all((await publisher.db.collections()).map((collection) => collection.find().toArray()));
  expect(JSON.stringify(everything)).not.toContain(state);
  expect(JSON.stringify(everything)).toContain(hashState(state));
  await expect(complete({ code, state: hashState(state) })).rejects.toMatchObject(rejection);
  await complete({ code, state });
});

test('a flow that the previous version started still works', async () => {
  const { state, code } = await consented('facebook');
  const connections = publisher.db.collection<{ _id: string }>('connections');
  const begun = await connections.findOneAndDelete({ _id: hashState(state) });
  await connections.insertOne({ ...begun, _id: state });
  await expect(complete({ code, state })).resolves.toMatchObject({ integrations: [expect.anything()] });
});

test('a state works for nobody else, and their attempt does not use it up', async () => {
  const granted = await consented('x');
  await expect(complete(granted, aBusiness())).rejects.toMatchObject(rejection);
  const { organizationId } = publisher.scope;
  await expect(complete(granted, callAs({ organizationId, businessId: newId() }))).rejects.toMatchObject(rejection);
  await expect(complete(granted)).resolves.toMatchObject({ integrations: [{ platform: 'x' }] });
});

test('an expired state does not work', async () => {
  const granted = await consented('x');
  await publisher.db
    .collection('connections')
    .updateOne({ _id: hashState(granted.state) as never }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
  await expect(complete(granted)).rejects.toMatchObject(rejection);
});

test('a code that the platform rejects connects nothing', async () => {
  const call = aBusiness();
  const granted = await consented('x', call);
  await expect(complete({ ...granted, code: 'made-up' }, call)).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
  expect(await publisher.client.listIntegrations({ pageSize: 10, pageToken: '' }, call)).toMatchObject({ integrations: [] });
});

test('a redirect URI that looks like one of our fields is stored as it is', async () => {
  const redirectUri = '$$ROOT';
  const { state } = await publisher.client.beginConnection({ platform: 'facebook', redirectUri }, publisher.call);
  expect(await publisher.db.collection('connections').findOne({ _id: hashState(state) as never })).toMatchObject({
    redirect_uri: redirectUri,
  });
});

test.each(['myspace', '__proto__', 'constructor', ''])('a platform that cannot be connected here is named: %j', async (platform) => {
  const request = { platform, redirectUri: publisher.redirectUri };
  await expect(publisher.client.beginConnection(request, publisher.call)).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'platform',
  });
});

test('a reconnected account keeps its id and its place in the list', async () => {
  const call = aBusiness();
  const before = await publisher.connect('x', call);
  const again = await publisher.connect('x', call);
  expect(again).toMatchObject({ id: before.id, createdAt: before.createdAt, revision: before.revision + 1 });
  const { integrations } = await publisher.client.listIntegrations({ pageSize: 100, pageToken: '' }, call);
  expect(integrations.map(({ id }) => id)).toEqual([before.id]);
});

test('connecting the same account twenty times at once creates one', async () => {
  const call = aBusiness();
  const granted = await Promise.all(Array.from({ length: 20 }, () => consented('x', call)));
  await Promise.all(granted.map((one) => complete(one, call)));
  const { integrations } = await publisher.client.listIntegrations({ pageSize: 100, pageToken: '' }, call);
  expect(integrations).toMatchObject([{ revision: 20 }]);
});

test('two businesses can connect the same account, and neither sees the other', async () => {
  const [one, other] = [aBusiness(), aBusiness()];
  const [a, b] = [await publisher.connect('x', one), await publisher.connect('x', other)];
  expect(a.id).not.toBe(b.id);
  expect(await publisher.client.listIntegrations({ pageSize: 10, pageToken: '' }, one)).toMatchObject({ integrations: [{ id: a.id }] });
});

test('a business does not see the accounts of another one of its organization', async () => {
  const one = aBusiness();
  const sibling = callAs({ organizationId: one.call.metadata.organizationId, businessId: newId() });
  const { id: integrationId } = await publisher.connect('x', one);
  expect(await publisher.client.listIntegrations({ pageSize: 10, pageToken: '' }, sibling)).toMatchObject({ integrations: [] });
  await expect(publisher.client.getIntegration({ integrationId }, sibling)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('pages of the list continue where the previous one ended, also if an account is connected in between', async () => {
  const call = aBusiness();
  const connected = [];
  for (const platform of ['facebook', 'x', 'instagram']) connected.push(await publisher.connect(platform, call));
  const newestFirst = (await publisher.client.listIntegrations({ pageSize: 100, pageToken: '' }, call)).integrations.map(({ id }) => id);
  const first = await publisher.client.listIntegrations({ pageSize: 2, pageToken: '' }, call);
  await publisher.connect('facebook', call);
  const rest = await publisher.client.listIntegrations({ pageSize: 100, pageToken: first.nextPageToken }, call);
  expect([...first.integrations, ...rest.integrations].map(({ id }) => id)).toEqual(newestFirst);
  expect(rest.nextPageToken).toBe('');
  await expect(publisher.client.listIntegrations({ pageSize: 2, pageToken: first.nextPageToken }, aBusiness())).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'cursor',
  });
});
