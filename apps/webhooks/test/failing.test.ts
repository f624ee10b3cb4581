import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { generate } from 'selfsigned';
import { aReceiver, type Receiver } from './a-receiver.ts';
import { startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

// Five days last ten seconds here, and a day twelve: longer than this machine is ever blocked.
let webhooks: TestWebhooks;
let receivers: Receiver[];
let tls: Awaited<ReturnType<typeof aTlsServer>>;
beforeAll(async () => {
  receivers = await Promise.all(Array.from({ length: 10 }, () => aReceiver()));
  tls = await aTlsServer();
  webhooks = await startWebhooks({
    origins: [tls.origin, 'http://127.0.0.1:1', ...receivers.map(({ origin }) => origin)],
    sending: {
      ...{ delaysMs: [50, 100], firstBreakMs: 100, longestBreakMs: 200, timeoutMs: 5_000, idleMs: 100 },
      ...{ triedForMs: 12_000, disabledAfterMs: 10_000 },
    },
  });
});
afterAll(async () => {
  await webhooks.stop();
  tls.stop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

const aReceiverOf = (): Receiver => {
  const receiver = receivers.pop();
  if (!receiver) throw new Error('Start more receivers.');
  return receiver;
};

async function aTlsServer() {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', algorithm: 'sha256' });
  const server = createTlsServer({ cert, key }, (_request, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

const created = (scope: Scope, id = newId()) => webhooks.changed(scope, { id, revision: 1 }, ['POST_CHANGE_CREATED']);
const endpointOf = async (scope: Scope, endpointId: string) => (await webhooks.api.getEndpoint({ endpointId }, callAs(scope))).endpoint;

/** Sends a test, and returns its only attempt. */
async function attemptAt(url: string, more: object = {}) {
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, url, { events: ['post.*'], ...more });
  const { delivery } = await webhooks.api.testEndpoint({ endpointId: id, operationId: newId() }, callAs(scope));
  return eventually(async () => {
    const found = (await webhooks.api.getDelivery({ endpointId: id, deliveryId: delivery!.id }, callAs(scope))).delivery;
    return found?.status !== 'DELIVERY_STATUS_PENDING' && { status: found?.status, attempts: found?.attempts ?? [] };
  });
}

const failed = (error: string, more: object = {}) => ({ status: 'DELIVERY_STATUS_FAILED', attempts: [{ error, ...more }] });

test('a certificate that is not valid is explained', async () => {
  expect(await attemptAt(tls.origin)).toMatchObject(failed('The TLS certificate of the endpoint is self-signed.'));
});

test('a closed port, an unknown name and a private address have the same explanation', async () => {
  const words = 'The endpoint could not be reached. Its URL must point to a server that listens at a public address.';
  expect(await attemptAt('http://127.0.0.1:1/')).toMatchObject(failed(words));
  expect(await attemptAt('https://no-such-name.example.com/')).toMatchObject(failed(words));
});

test('a redirect is not followed, and says so', async () => {
  const receiver = aReceiverOf();
  receiver.respond((_, response) => void response.writeHead(302, { location: `${receiver.origin}/elsewhere` }).end());
  const words = 'The endpoint responded with 302. Redirects are not followed: change the URL of the endpoint to the new address.';
  expect(await attemptAt(receiver.origin)).toMatchObject(failed(words, { statusCode: 302 }));
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that stalls fails, and one that drips succeeds', async () => {
  const receiver = aReceiverOf();
  receiver.respond((_, response) => receiver.hold(response));
  expect(await attemptAt(receiver.origin)).toMatchObject(failed('The endpoint did not respond within 15 seconds.'));
  receiver.respond((_, response) => void response.writeHead(200).write('.'));
  expect(await attemptAt(receiver.origin)).toMatchObject({
    status: 'DELIVERY_STATUS_SUCCEEDED',
    attempts: [{ statusCode: 200, response: { body: '.', isCut: true } }],
  });
});

test('a connection that the endpoint closes is explained', async () => {
  const receiver = aReceiverOf();
  receiver.respond((_, response) => void response.destroy());
  expect(await attemptAt(receiver.origin)).toMatchObject(failed('The endpoint closed the connection without a response.'));
});

test('a response that begins with 100 Continue is explained', async () => {
  const receiver = aReceiverOf();
  receiver.respond((_, response) => response.writeContinue());
  expect(await attemptAt(receiver.origin)).toMatchObject(
    failed('The response began with 100 Continue, which the request did not ask for.'),
  );
});

test('a long response is cut', async () => {
  const receiver = aReceiverOf();
  receiver.respond((_, response) => void response.writeHead(200).end('x'.repeat(200_000)));
  const { attempts } = await attemptAt(receiver.origin);
  expect(attempts[0]?.response).toMatchObject({ isCut: true });
  expect(attempts[0]?.response?.body).toHaveLength(64 * 1024);
});

test('an endpoint that has failed for five days is disabled, its deliveries end, and the feed has an event about it', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond((_, response) => void response.writeHead(500).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin, { events: ['post.*'] });
  for (let count = 0; count < 8; count++) await created(scope);
  await eventually(async () => (await endpointOf(scope, id))?.enabled === false);
  expect(await endpointOf(scope, id)).toMatchObject({ disabledReason: 'failing', revision: 2 });
  await eventually(async () => (await webhooks.deliveries(scope, id)).every(({ status }) => status === 'DELIVERY_STATUS_FAILED'));
  const { events } = await webhooks.list(scope);
  expect(events.at(-1)).toMatchObject({ type: 'webhook.disabled', actor: 'system:webhooks', businessId: undefined });
  // Enabled again it works as before, and sends nothing of what it has missed.
  receiver.respond(() => undefined);
  const before = receiver.received.length;
  await webhooks.api.updateEndpoint({ endpointId: id, operationId: newId(), expectedRevisions: [], enabled: true }, callAs(scope));
  await created(scope);
  await receiver.has(before + 1);
  expect(await endpointOf(scope, id)).toMatchObject({ enabled: true, disabledReason: undefined, failingSince: undefined });
  expect(receiver.received[before]?.event.sequence).toBe(events.length + 1);
});

test('a delivery that fails for a day has failed, and can be sent again', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  const bad = newId();
  receiver.respond(({ event }, response) => {
    if (event.data['id'] === bad) response.writeHead(500).end();
  });
  const { id } = await webhooks.endpoint(scope, receiver.origin, { events: ['post.*'] });
  await created(scope, bad);
  // Others succeed meanwhile: the endpoint works.
  const failure = await eventually(async () => {
    await created(scope);
    return (await webhooks.deliveries(scope, id, { status: 'DELIVERY_STATUS_FAILED' }))[0];
  });
  expect(failure).toMatchObject({ nextAttemptAt: undefined, attempts: [{ statusCode: 500 }] });
  expect(failure.attemptCount).toBeGreaterThan(3);
  receiver.respond(() => undefined);
  await webhooks.api.redeliverDelivery({ endpointId: id, deliveryId: failure.id }, callAs(scope));
  await eventually(async () => {
    const { delivery } = await webhooks.api.getDelivery({ endpointId: id, deliveryId: failure.id }, callAs(scope));
    return delivery?.status === 'DELIVERY_STATUS_SUCCEEDED' && delivery.attemptCount === failure.attemptCount + 1;
  });
});

test('an endpoint that requests a wait gets one, and a request of its owner ends it', async () => {
  const receiver = aReceiverOf();
  const scope = webhooks.aScope();
  receiver.respond((_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end());
  const { id } = await webhooks.endpoint(scope, receiver.origin, { events: ['post.*'] });
  await created(scope);
  await eventually(async () => (await webhooks.deliveries(scope, id))[0]?.attempts[0]?.statusCode === 429);
  receiver.respond(() => undefined);
  await created(scope);
  await eventually(async () => (await webhooks.list(scope)).events.length === 2);
  expect(receiver.received).toHaveLength(1);
  await webhooks.api.testEndpoint({ endpointId: id, operationId: newId() }, callAs(scope));
  await eventually(() => receiver.types().includes('webhook.test'));
});

test('an organization has at most twenty endpoints, however many are created at once', async () => {
  const scope = webhooks.aScope();
  const all = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => webhooks.endpoint(scope, `https://example.com/${index}`, { events: ['post.*'] })),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
  const { endpoints } = await webhooks.api.listEndpoints({}, callAs(scope));
  expect(endpoints).toHaveLength(20);
  await webhooks.api.deleteEndpoint({ endpointId: endpoints[0]!.id, expectedRevisions: [] }, callAs(scope));
  await webhooks.endpoint(scope, 'https://example.com/one-more');
});
