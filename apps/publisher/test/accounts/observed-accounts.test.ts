import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// X reports whether an account subscribes, so nobody has to configure it for long posts.
let publisher: TestPublisher;
let accounts = 0;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const connect = async (subscription_type?: string) => {
  const username = `observed_${++accounts}`;
  const body = { platform: 'x', username, name: username, ...(subscription_type && { subscription_type }) };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${publisher.sandbox.url}/_control/accounts`, { method: 'POST', headers, body: JSON.stringify(body) });
  return publisher.connect('x', publisher.call, ((await response.json()) as { id: string }).id);
};
const refresh = async ({ id }: Integration) =>
  (await publisher.client.refreshIntegration({ operationId: newId(), integrationId: id }, publisher.call)).integration;
const knowOf = ({ id }: Integration, observed_options: object) =>
  publisher.db.collection('integrations').updateOne({ _id: id as never }, { $set: { observed_options } });
const updateSettings = ({ id }: Integration, settings: object) =>
  publisher.client.updateIntegration({ operationId: newId(), integrationId: id, settings, expectedRevisions: [] }, publisher.call);
const send = async (integration: Integration, caption: string) => {
  const [id = ''] = await publisher.publish({ integration, caption });
  return publisher.outcome(id);
};
const long = (what: string) => `${what} ${'bread '.repeat(60)}`.trim();

test('a subscriber can post long texts, unless the settings say otherwise', async () => {
  const subscriber = await connect('Premium');
  expect(subscriber.observedOptions).toEqual({ premium: true });
  expect(await send(subscriber, long('Subscribed'))).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  await updateSettings(subscriber, { premium: false });
  expect(await send(subscriber, long('Not wanted'))).toMatchObject({ errorType: 'validation_failed' });
});

test('a long text of an account without a subscription is rejected before X is called', async () => {
  const other = await connect();
  expect(other.observedOptions).toEqual({});
  expect(await send(other, long('Not subscribed'))).toMatchObject({
    errorType: 'validation_failed',
    errorMessage: expect.stringMatching(/^caption: /) as string,
  });
});

test('a refresh updates what has changed, with an event, and its failure changes nothing', async () => {
  const subscriber = await connect('Premium');
  await knowOf(subscriber, {});
  await publisher.sandbox.fault('x.get_me', { type: 'html', status: 503 }, null);
  const unseen = await refresh(subscriber);
  expect(unseen).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED', observedOptions: {}, revision: subscriber.revision + 1 });
  await publisher.sandbox.clearFaults();
  const seen = await eventually(async () => {
    const fresh = await refresh(subscriber);
    return fresh?.observedOptions?.['premium'] === true ? fresh : undefined;
  });
  const changed = await eventually(() =>
    publisher.peer
      .received(topics.integrationChanged)
      .find(({ data: { integration } }) => integration?.id === subscriber.id && integration.revision === seen?.revision),
  );
  expect(changed?.data.integration).toMatchObject({ observedOptions: { premium: true } });

  const other = await connect();
  await knowOf(other, { premium: true });
  expect(await refresh(other)).toMatchObject({ observedOptions: {} });
});
