import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import type { DeliveryDocument } from '../src/deliveries/delivery.ts';
import type { EndpointDocument } from '../src/endpoints/endpoint.ts';
import { aReceiver, type Receiver } from './a-receiver.ts';
import { startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

// The times of retries are the real ones. A day passes because everything that was stored is made older.
let webhooks: TestWebhooks;
let receivers: Receiver[];
beforeAll(async () => {
  receivers = await Promise.all(Array.from({ length: 4 }, () => aReceiver()));
  webhooks = await startWebhooks({
    origins: receivers.map(({ origin }) => origin),
    sending: { firstBreakMs: 20, longestBreakMs: 40, idleMs: 50, sweepMs: 200 },
  });
});
afterAll(async () => {
  await webhooks.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const HOUR_MS = 3_600_000;
const POSTS = 12;
const CHANGES = ['POST_CHANGE_CREATED', 'POST_CHANGE_UPDATED', 'POST_CHANGE_SCHEDULED', 'POST_CHANGE_DELETED'] as const;
const TYPES = ['post.created', 'post.updated', 'post.scheduled', 'post.deleted'];

/** An endpoint that responds with 503 while posts are created, changed and deleted. */
async function anOutage(receiver: Receiver) {
  const scope = webhooks.aScope();
  receiver.respond((_, response) => response.writeHead(503).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  const posts = Array.from({ length: POSTS }, () => newId());
  for (const [index, change] of CHANGES.entries())
    for (const post of posts) await webhooks.changed(scope, { id: post, revision: index + 1 }, [change]);
  await eventually(async () => (await webhooks.list(scope)).events.length === POSTS * CHANGES.length);
  await eventually(async () => (await storedEndpoint(id))?.failing_since !== undefined);
  return { scope, id, posts };
}

const storedEndpoint = (id: string) => webhooks.db.collection<EndpointDocument>('endpoints').findOne({ _id: id });

/** Makes the outage this much longer. */
async function pass(endpointId: string, ms: number): Promise<void> {
  const earlier = (field: string) => ({ [field]: { $subtract: [`$${field}`, ms] } });
  await webhooks.db
    .collection<DeliveryDocument>('deliveries')
    .updateMany({ endpoint_id: endpointId, status: 'pending' }, [{ $set: { ...earlier('begun_at'), ...earlier('created_at') } }]);
  await webhooks.db.collection<EndpointDocument>('endpoints').updateOne({ _id: endpointId }, [{ $set: earlier('failing_since') }]);
}

/** What was accepted of each post, in order. */
const acceptedOf = (receiver: Receiver, from: number, posts: readonly string[]) => {
  const accepted = receiver.received.slice(from);
  return posts.map((post) => accepted.filter(({ event }) => event.data['id'] === post).map(({ event }) => event.type));
};
const statuses = async (scope: Scope, id: string) =>
  new Set((await webhooks.deliveries(scope, id)).map(({ status }) => status.replace('DELIVERY_STATUS_', '')));
const isAll = async (scope: Scope, id: string, status: string) => [...(await statuses(scope, id))].join() === status;

test('an endpoint that was down for almost a day gets everything once, in order, without a request of its owner', async () => {
  const [receiver] = receivers as [Receiver, Receiver];
  const { scope, id, posts } = await anOutage(receiver);
  await pass(id, 23.5 * HOUR_MS);
  expect(await statuses(scope, id)).toEqual(new Set(['PENDING']));
  const from = receiver.received.length;
  receiver.respond(() => undefined);
  await eventually(() => isAll(scope, id, 'SUCCEEDED'));
  expect(acceptedOf(receiver, from, posts)).toEqual(posts.map(() => TYPES));
  await eventually(async () => (await storedEndpoint(id))?.failing_since === undefined);
});

test('an endpoint that was down for longer gets what has failed, once and in order, by one call', async () => {
  const [, receiver] = receivers as [Receiver, Receiver];
  const { scope, id, posts } = await anOutage(receiver);
  await pass(id, 25 * HOUR_MS);
  await eventually(() => isAll(scope, id, 'FAILED'));
  const from = receiver.received.length;
  receiver.respond(() => undefined);
  const recover = () => webhooks.api.recoverEndpoint({ endpointId: id, since: new Date(Date.now() - 48 * HOUR_MS) }, callAs(scope));
  await recover();
  await recover();
  await eventually(() => isAll(scope, id, 'SUCCEEDED'));
  await recover();
  await eventually(async () => (await storedEndpoint(id))?.recovery === undefined);
  expect(acceptedOf(receiver, from, posts)).toEqual(posts.map(() => TYPES));
  const sequences = receiver.received.slice(from).map(({ event }) => event.sequence);
  expect(sequences).toHaveLength(POSTS * CHANGES.length);
});

test.each([false, true])('events that an endpoint never accepts delay only those of their posts; ordered: %s', async (ordered) => {
  const receiver = receivers[ordered ? 2 : 3] as Receiver;
  const scope = webhooks.aScope();
  const bad = Array.from({ length: 6 }, () => newId());
  receiver.respond(({ event }, response) => {
    if (bad.includes(String(event.data['id']))) response.writeHead(500).end();
  });
  const { id } = await webhooks.endpoint(scope, receiver.origin, { ordered });
  for (const post of bad) await webhooks.changed(scope, { id: post, revision: 1 }, ['POST_CHANGE_CREATED']);
  for (const post of bad) await webhooks.changed(scope, { id: post, revision: 2 }, ['POST_CHANGE_UPDATED']);
  await eventually(async () => ((await storedEndpoint(id))?.failures ?? 0) > 5);
  const good = newId();
  const from = receiver.received.length;
  await webhooks.changed(scope, { id: good, revision: 1 }, ['POST_CHANGE_CREATED']);
  await webhooks.changed(scope, { id: good, revision: 2 }, ['POST_CHANGE_UPDATED']);
  await eventually(() => acceptedOf(receiver, from, [good])[0]?.length === 2);
  expect(acceptedOf(receiver, from, [good])).toEqual([['post.created', 'post.updated']]);
});
