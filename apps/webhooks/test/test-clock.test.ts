import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { aReceiver, type Receiver } from './a-receiver.ts';
import { startWebhooks, type Scope, type TestWebhooks } from './running-webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** More than any test takes. */
const SOON_MS = 120_000;

let webhooks: TestWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await aReceiver();
  // The usual delays: none of them ends during a test.
  webhooks = await startWebhooks({ origins: [receiver.origin], sending: { delaysMs: [HOUR_MS, 6 * HOUR_MS], firstBreakMs: HOUR_MS } });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond(() => undefined);
});

const fails = () => receiver.respond((_, response) => void response.writeHead(503).end());
const created = (scope: Scope) => webhooks.changed(scope, { id: newId(), revision: 1 }, ['POST_CHANGE_CREATED']);
const inHours = (hours: number) => Date.now() + hours * HOUR_MS;
const isClose = (time: Date | undefined, to: number) => Math.abs((time?.getTime() ?? 0) - to) < SOON_MS;
const advance = (scope: Scope, hours: number) => webhooks.clock.advance(callAs(scope), hours);

test('a failed webhook is sent again when the clock comes to its time, and only that of its organization', async () => {
  fails();
  const [scope, other] = [webhooks.aScope(), webhooks.aScope()];
  const [{ id }, { id: othersId }] = [await webhooks.endpoint(scope, receiver.origin), await webhooks.endpoint(other, receiver.origin)];
  await created(scope);
  await created(other);
  await eventually(() => receiver.received.length === 2);
  receiver.respond(() => undefined);
  const { nextDueAt } = await eventually(async () => {
    const left = await webhooks.clock.workLeft(callAs(scope));
    return left.openWork.length === 0 && left.nextDueAt !== undefined && left;
  });
  // The delay is an hour, jittered by a fifth.
  expect(Math.abs((nextDueAt?.getTime() ?? 0) - inHours(1))).toBeLessThan(HOUR_MS / 5 + SOON_MS);

  await advance(scope, 2);
  const delivery = await eventually(async () => {
    const [found] = await webhooks.deliveries(scope, id);
    return found?.status === 'DELIVERY_STATUS_SUCCEEDED' && found;
  });
  expect(delivery).toMatchObject({ attemptCount: 2 });
  expect(isClose(delivery.attempts.at(-1)?.at, inHours(2))).toBe(true);
  // Receivers compare this time with their own clocks.
  const sentAt = Number(receiver.received.at(-1)?.headers['webhook-timestamp']) * 1_000;
  expect(Math.abs(sentAt - Date.now())).toBeLessThan(SOON_MS);
  expect((await webhooks.deliveries(other, othersId))[0]).toMatchObject({ status: 'DELIVERY_STATUS_PENDING', attemptCount: 1 });
});

test('events and their deliveries have the time of the organization', async () => {
  const scope = webhooks.aScope();
  await advance(scope, 100 * DAY_HOURS);
  const { id, createdAt } = await webhooks.endpoint(scope, receiver.origin);
  expect(isClose(createdAt, inHours(100 * DAY_HOURS))).toBe(true);
  await created(scope);
  await eventually(() => receiver.received.length === 1);
  const [delivery] = await webhooks.deliveries(scope, id);
  expect(isClose(delivery?.createdAt, inHours(100 * DAY_HOURS))).toBe(true);
  const { events } = await webhooks.list(scope);
  expect(events.every(({ timestamp }) => isClose(timestamp, inHours(100 * DAY_HOURS)))).toBe(true);
});

test('an endpoint that fails for five days of the clock is disabled', async () => {
  fails();
  const scope = webhooks.aScope();
  const { id } = await webhooks.endpoint(scope, receiver.origin);
  const enabled = async () => (await webhooks.api.getEndpoint({ endpointId: id }, callAs(scope))).endpoint?.enabled;
  await created(scope);
  await eventually(() => receiver.received.length === 1);
  await advance(scope, 3 * DAY_HOURS);
  await created(scope);
  await eventually(() => receiver.received.length >= 2);
  await eventually(async () => (await webhooks.clock.workLeft(callAs(scope))).openWork.length === 0);
  expect(await enabled()).toBe(true);
  await advance(scope, 6 * DAY_HOURS);
  await created(scope);
  await eventually(async () => (await enabled()) === false);
});
