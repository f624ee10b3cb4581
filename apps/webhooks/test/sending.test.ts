import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { Webhook } from 'standardwebhooks';
import type { DeliveryDocument } from '../src/deliveries/delivery.ts';
import { newDelivery } from '../src/deliveries/new-delivery.ts';
import type { EventDocument } from '../src/feed/event.ts';
import { aReceiver, type Receiver } from './a-receiver.ts';
import { startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

let webhooks: TestWebhooks;
let receivers: Receiver[];

beforeAll(async () => {
  receivers = await Promise.all(Array.from({ length: 17 }, () => aReceiver()));
  webhooks = await startWebhooks({
    origins: receivers.map(({ origin }) => origin),
    sending: { delaysMs: [50, 100], firstBreakMs: 200, longestBreakMs: 400, timeoutMs: 120_000, idleMs: 200, sweepMs: 200 },
  });
});
afterAll(async () => {
  await webhooks.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

/** Each test has its own. */
const aReceiverOf = (): Receiver => {
  const receiver = receivers.pop();
  if (!receiver) throw new Error('Start more receivers.');
  return receiver;
};

const created = (scope: Scope, id = newId(), revision = 1) => webhooks.changed(scope, { id, revision }, ['POST_CHANGE_CREATED']);
const deliveryOf = async (scope: Scope, endpointId: string) => (await webhooks.deliveries(scope, endpointId))[0];

test('an event is sent with a signature that the published library verifies, and is the event of the feed', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id, secret } = await webhooks.endpoint(scope, `${receiver.origin}/hooks?x=1`);
  await created(scope);

  const [received] = await receiver.has(1);
  expect(received).toMatchObject({ path: '/hooks?x=1', headers: { 'user-agent': 'Fanfare-Webhooks/1.0' } });
  const body = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>) as { id: string };
  const { events } = await webhooks.list(scope);
  expect(body).toMatchObject({ id: events[0]!.id, sequence: 1, type: 'post.created', business_id: scope.businessId });
  expect(received!.headers['webhook-id']).toBe(body.id);
  await eventually(async () => (await deliveryOf(scope, id))?.status === 'DELIVERY_STATUS_SUCCEEDED');
});

test('only what the endpoint selects is sent, by type, business and platform', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const other = webhooks.aScope(scope.organizationId);
  await webhooks.endpoint(scope, receiver.origin, { events: ['post.deleted', 'integration.*'] });
  await webhooks.endpoint(scope, `${receiver.origin}/of-other`, { businessIds: [other.businessId] });
  await webhooks.endpoint(scope, `${receiver.origin}/x`, { platforms: ['x'], events: ['integration.*'] });
  await created(scope);
  await created(other);
  await webhooks.changed(scope, { id: newId(), revision: 1 }, ['POST_CHANGE_DELETED']);
  await webhooks.account(scope, { id: newId(), revision: 1, platform: 'facebook' });
  await webhooks.account(scope, { id: newId(), revision: 1, platform: 'x' });

  await receiver.has(5);
  const byPath = Map.groupBy(receiver.received, ({ path }) => path);
  expect(
    byPath
      .get('/')
      ?.map(({ event }) => event.type)
      .sort(),
  ).toEqual(['integration.connected', 'integration.connected', 'post.deleted']);
  expect(byPath.get('/of-other')).toMatchObject([{ event: { business_id: other.businessId } }]);
  expect(byPath.get('/x')).toMatchObject([{ event: { data: { platform: 'x' } } }]);
});

test('a failed delivery is tried again until it succeeds, and the log shows each attempt without secrets', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond(({ headers }, response) => {
    if (receiver.received.length < 3)
      response
        .writeHead(500, { 'x-echo': String(headers['authorization']), 'set-cookie': 'session=of-the-endpoint' })
        .end(`Token my-own-token is bad, and so is ${String(headers['webhook-signature'])}.`);
  });
  const headers = [{ name: 'Authorization', value: 'Bearer my-own-token' }];
  const { id } = await webhooks.endpoint(scope, receiver.origin, { headers });
  await created(scope);

  await receiver.has(3);
  expect(receiver.received.map((one) => one.headers['authorization'])).toEqual(Array.from({ length: 3 }, () => 'Bearer my-own-token'));
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(1);
  await eventually(async () => (await deliveryOf(scope, id))?.status === 'DELIVERY_STATUS_SUCCEEDED');
  const { delivery } = await webhooks.api.getDelivery({ endpointId: id, deliveryId: (await deliveryOf(scope, id))!.id }, callAs(scope));
  expect(delivery).toMatchObject({ attemptCount: 3, nextAttemptAt: undefined });
  expect(delivery!.attempts).toMatchObject([
    {
      statusCode: 500,
      error: 'The endpoint responded with 500. Only 200 to 299 counts as success.',
      request: { headers: { authorization: '[redacted]' } },
      response: { body: 'Token [redacted] is bad, and so is [redacted].', headers: { 'x-echo': '[redacted]', 'set-cookie': '[redacted]' } },
    },
    { statusCode: 500 },
    { statusCode: 204, error: undefined },
  ]);
  expect(delivery!.attempts[0]!.request!.headers).not.toHaveProperty('webhook-signature');
  expect(JSON.stringify(await webhooks.db.collection('endpoints').find().toArray())).not.toContain('my-own-token');
});

test('after too many failures in a row the endpoint is left alone, and gets everything in order when it is back', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond((_, response) => response.writeHead(503).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  const posts = Array.from({ length: 10 }, () => newId());
  for (const post of posts) await created(scope, post);
  for (const post of posts) await webhooks.changed(scope, { id: post, revision: 2 }, ['POST_CHANGE_DELETED']);
  await eventually(async () => (await webhooks.db.collection('endpoints').findOne({ _id: id as never }))?.['paused_until'] !== undefined);

  const before = receiver.received.length;
  receiver.respond(() => undefined);
  const succeeded = async () => (await webhooks.deliveries(scope, id, { status: 'DELIVERY_STATUS_SUCCEEDED' })).length;
  await eventually(async () => (await succeeded()) === 2 * posts.length);
  const after = receiver.received.slice(before);
  expect(after.map(({ event }) => event.id).sort()).toEqual([...new Set(after.map(({ event }) => event.id))].sort());
  for (const [, own] of Map.groupBy(after, ({ event }) => String(event.data['id'])))
    expect(own.map(({ event }) => event.type)).toEqual(['post.created', 'post.deleted']);
});

test('what an endpoint has rejected is due before all that happens after that, as soon as it accepts one', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond((_, response) => response.writeHead(503).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  for (let post = 0; post < 5; post++) await created(scope);
  const endpoint = () => webhooks.db.collection('endpoints').findOne({ _id: id as never });
  await eventually(async () => (await endpoint())?.['paused_until'] !== undefined);
  const failingSince = (await endpoint())?.['failing_since'] as Date;

  let accepted = 0;
  receiver.respond((_, response) => (accepted++ === 0 ? undefined : receiver.hold(response)));
  const pending = () => webhooks.db.collection<DeliveryDocument>('deliveries').find({ endpoint_id: id, status: 'pending' }).toArray();
  await eventually(async () => (await pending()).every(({ next_attempt_at }) => next_attempt_at?.getTime() === failingSince.getTime()));
  expect(await pending()).toHaveLength(4);
  receiver.release();
  await receiver.has(accepted);
});

test('410 disables the endpoint at once, and the others receive an event about it', async () => {
  const [gone, other] = [aReceiverOf(), aReceiverOf()];
  const scope = webhooks.aScope();
  gone.respond((_, response) => response.writeHead(410).end());
  const { id } = await webhooks.endpoint(scope, gone.origin);
  await webhooks.endpoint(scope, other.origin, { events: ['webhook.*'] });
  await created(scope);

  await other.has(1);
  expect(other.received).toMatchObject([{ event: { type: 'webhook.disabled', data: { id, enabled: false, disabled_reason: 'gone' } } }]);
  await created(scope);
  await eventually(async () => (await webhooks.list(scope)).events.length === 3);
  const { endpoint } = await webhooks.api.getEndpoint({ endpointId: id }, callAs(scope));
  expect(endpoint).toMatchObject({ enabled: false, disabledReason: 'gone' });
  expect(gone.received).toHaveLength(1);
  expect(await webhooks.deliveries(scope, id)).toMatchObject([{ status: 'DELIVERY_STATUS_FAILED', attempts: [{ statusCode: 410 }] }]);
});

test('410 as the response to a test disables the endpoint, too', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond((_, response) => response.writeHead(410).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  await webhooks.api.testEndpoint({ endpointId: id, operationId: newId() }, callAs(scope));
  await eventually(async () => (await webhooks.api.getEndpoint({ endpointId: id }, callAs(scope))).endpoint?.disabledReason === 'gone');
});

test('a test is sent to a disabled endpoint too, and only to it', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, receiver.origin, { enabled: false });
  await webhooks.endpoint(scope, `${receiver.origin}/other`);
  const operationId = newId();
  const test = () => webhooks.api.testEndpoint({ endpointId: id, operationId }, callAs(scope));
  const { delivery } = await test();
  expect((await test()).delivery!.id).toBe(delivery!.id);

  await eventually(async () => (await deliveryOf(scope, id))?.status === 'DELIVERY_STATUS_SUCCEEDED');
  expect(receiver.received).toMatchObject([{ path: '/', event: { type: 'webhook.test', data: { id } } }]);
});

test('a recovery delivers what failed and what happened while the endpoint was disabled, once, oldest first', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, receiver.origin, { events: ['post.*'] });
  await created(scope);
  await eventually(async () => (await deliveryOf(scope, id))?.status === 'DELIVERY_STATUS_SUCCEEDED');
  const change = (enabled: boolean) =>
    webhooks.api.updateEndpoint({ endpointId: id, operationId: newId(), expectedRevisions: [], enabled }, callAs(scope));
  await change(false);
  await created(scope);
  await created(scope);
  await eventually(async () => (await webhooks.list(scope)).events.length === 3);
  const recover = () => webhooks.api.recoverEndpoint({ endpointId: id, since: new Date(0) }, callAs(scope));
  await expect(recover()).rejects.toMatchObject({ code: 'conflict' });
  await change(true);
  await recover();
  await recover();

  await eventually(async () => (await webhooks.deliveries(scope, id)).filter(({ endedAt }) => endedAt).length === 3);
  await recover();
  await eventually(async () => (await webhooks.db.collection('endpoints').findOne({ _id: id as never }))?.['recovery'] === undefined);
  expect(receiver.received.map(({ event }) => event.sequence)).toEqual([1, 2, 3]);
});

test('with `ordered`, a failed delivery delays the later ones of its resource, and no others', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const [delayed, free] = [newId(), newId()];
  let isFailing = true;
  receiver.respond(({ event }, response) => {
    if (isFailing && event.data['id'] === delayed) response.writeHead(500).end();
  });
  await webhooks.endpoint(scope, receiver.origin, { ordered: true });
  await created(scope, delayed);
  await webhooks.changed(scope, { id: delayed, revision: 2 }, ['POST_CHANGE_UPDATED']);
  await created(scope, free);
  await eventually(() => receiver.received.some(({ event }) => event.data['id'] === free));
  isFailing = false;
  await eventually(() => receiver.types().includes('post.updated'));
  const ofDelayed = receiver.received.filter(({ event }) => event.data['id'] === delayed).map(({ event }) => event.type);
  expect(ofDelayed.indexOf('post.updated')).toBe(ofDelayed.length - 1);
  expect(ofDelayed.length).toBeGreaterThan(2);
});

test('each former secret stays valid for its own time, also after another rotation', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id, secret } = await webhooks.endpoint(scope, receiver.origin);
  const rotate = (operationId = newId()) => webhooks.api.rotateSecret({ endpointId: id, operationId }, callAs(scope));
  const all = [secret, (await rotate()).secret, (await rotate()).secret, (await rotate()).secret];
  const last = newId();
  all.push((await rotate(last)).secret);
  await expect(rotate()).rejects.toMatchObject({ code: 'conflict' });
  expect((await rotate(last)).secret).toBe(all.at(-1));
  await created(scope);
  const [received] = await receiver.has(1);
  for (const one of all) new Webhook(one).verify(received!.body, received!.headers as Record<string, string>);
});

test('the URL of an incoming webhook of Slack stays hidden when the format changes', async () => {
  const scope = webhooks.aScope();
  const { id, url } = await webhooks.endpoint(scope, 'https://hooks.slack.com/services/T0/B0/secret', { format: 'FORMAT_SLACK' });
  expect(url).toBe('https://hooks.slack.com/…');
  const change = (more: object) =>
    webhooks.api.updateEndpoint({ endpointId: id, operationId: newId(), expectedRevisions: [], ...more }, callAs(scope));
  expect((await change({ format: 'FORMAT_STANDARD' })).endpoint?.url).toBe(url);
  expect((await change({ url: 'https://example.com/hooks' })).endpoint?.url).toBe('https://example.com/hooks');
});

test('after a rotation webhooks are signed with both secrets', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id, secret: former } = await webhooks.endpoint(scope, receiver.origin);
  const operationId = newId();
  const rotate = () => webhooks.api.rotateSecret({ endpointId: id, operationId }, callAs(scope));
  const { secret } = await rotate();
  expect((await rotate()).secret).toBe(secret);
  expect(secret).not.toBe(former);
  await created(scope);
  const [received] = await receiver.has(1);
  for (const one of [secret, former]) new Webhook(one).verify(received!.body, received!.headers as Record<string, string>);
});

test('a process that dies after it stored events, before it made their endpoints due, loses none', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, receiver.origin, { events: ['integration.*'] });
  await created(scope);
  await eventually(async () => (await webhooks.list(scope)).events.length === 1);
  const [event] = (await webhooks.list(scope)).events;
  const delivery = newDelivery(
    { ...(await webhooks.db.collection<EventDocument>('events').findOne({ _id: event!.id }))! },
    { _id: id },
    new Date(Date.now() - 60_000),
  );
  await webhooks.db.collection<DeliveryDocument>('deliveries').insertOne(delivery);
  await receiver.has(1);
});

test('a process that is killed between the response and the write sends it again with the same id', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  await created(scope);
  await eventually(async () => (await deliveryOf(scope, id))?.status === 'DELIVERY_STATUS_SUCCEEDED');
  // As it was before the write, with the lease of a process that has died.
  await webhooks.db
    .collection('deliveries')
    .updateOne({ endpoint_id: id }, { $set: { status: 'pending', next_attempt_at: new Date(0) }, $unset: { ended_at: '' } });
  await webhooks.db.collection('endpoints').updateOne({ _id: id as never }, { $set: { held: true, send_at: new Date(0) } });
  await receiver.has(2);
  expect(receiver.received[1]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
});
