import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aBusiness, connecting, oneOf, type Call } from './connecting.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const { connect, get } = connecting(() => publisher);

describe('settings', () => {
  const update = (
    call: Call,
    integration: Integration,
    settings: Record<string, unknown>,
    expectedRevisions: number[] = [],
    operationId = newId(),
  ) => publisher.client.updateIntegration({ operationId, integrationId: integration.id, expectedRevisions, settings }, call);

  test('are set, merged, removed, and emitted', async () => {
    const call = aBusiness();
    const before = oneOf(await connect(call, 'x'));
    const operationId = newId();
    const { integration } = await update(call, before, { reply_settings: 'verified' }, [before.revision], operationId);
    expect(integration).toMatchObject({ settings: { reply_settings: 'verified' }, revision: before.revision + 1 });
    expect((await update(call, before, { reply_settings: 'verified' }, [before.revision], operationId)).integration).toEqual(integration);
    await expect(update(call, before, {}, [before.revision])).rejects.toMatchObject({ code: 'precondition_failed' });
    expect((await update(call, before, { reply_settings: null })).integration?.settings).toEqual({});
    await eventually(() =>
      publisher.peer
        .received(topics.integrationChanged)
        .some(({ data }) => data.integration?.id === before.id && data.integration.settings?.['reply_settings'] === 'verified'),
    );
  });

  test('that the platform does not allow are rejected by name', async () => {
    const call = aBusiness();
    const before = oneOf(await connect(call, 'x'));
    await expect(update(call, before, { reply_settings: 'nobody' })).rejects.toMatchObject({
      code: 'validation_failed',
      param: 'settings.reply_settings',
    });
    await expect(update(call, before, { board_id: '7' })).rejects.toMatchObject({ code: 'validation_failed', param: 'settings.board_id' });
    expect(await get(call, before.id)).toEqual(before);
  });

  test('are used where the post sets nothing itself', async () => {
    const username = `settled_${Date.now()}`;
    const integration = await publisher.connectAs('x', await publisher.sandbox.createAccount('x', username));
    await update(publisher.call, integration, { reply_settings: 'verified' });
    const [id = ''] = await publisher.publish({ integration, caption: 'Only for the verified' });
    await publisher.outcome(id);
    const [sent] = await publisher.sandbox.exchanges('x.create_post', 'Only for the verified');
    expect(sent?.body).toMatchObject({ reply_settings: 'verified' });
  });

  test('survive concurrent changes', async () => {
    const call = aBusiness();
    const before = oneOf(await connect(call, 'x'));
    await Promise.all(['following', 'verified', 'subscribers'].map((value) => update(call, before, { reply_settings: value })));
    expect((await get(call, before.id))?.revision).toBe(before.revision + 3);
  });
});

describe('disconnecting', () => {
  const disconnect = (call: Call, { id }: Integration, expectedRevisions: number[] = []) =>
    publisher.client.disconnectIntegration({ operationId: newId(), integrationId: id, expectedRevisions }, call);
  const revocations = () => publisher.sandbox.exchanges('x.revoke_token');
  const aloneOnX = async (call: Call, username: string) => {
    const accountId = await publisher.sandbox.createAccount('x', username);
    return oneOf(await connect(call, 'x', accountId));
  };

  test('erases the tokens at once, revokes the access at the platform, and emits an event', async () => {
    const call = aBusiness();
    const integration = await aloneOnX(call, 'leaving');
    const before = (await revocations()).length;
    await expect(disconnect(call, integration, [integration.revision + 1])).rejects.toMatchObject({ code: 'precondition_failed' });
    const { integration: disconnected } = await disconnect(call, integration, [integration.revision]);
    expect(disconnected).toMatchObject({ id: integration.id, status: 'INTEGRATION_STATUS_DISCONNECTED', tokenExpiresAt: undefined });
    expect(await publisher.db.collection('integrations').findOne({ _id: integration.id as never })).toMatchObject({ tokens: '' });
    await eventually(async () => (await revocations()).length === before + 2);
    await eventually(async () => (await publisher.db.collection('revocations').countDocuments({ integration_id: integration.id })) === 0);
    await eventually(() =>
      publisher.peer
        .received(topics.integrationChanged)
        .some(({ data }) => data.integration?.id === integration.id && data.integration.status === 'INTEGRATION_STATUS_DISCONNECTED'),
    );
    expect((await disconnect(call, integration)).integration?.revision).toBe(disconnected?.revision);
    const refresh = publisher.client.refreshIntegration({ operationId: newId(), integrationId: integration.id }, call);
    await expect(refresh).rejects.toMatchObject({ code: 'conflict' });
  });

  test('does not wait for the platform, and retries the revocation', async () => {
    const call = aBusiness();
    const integration = await aloneOnX(call, 'leaving_later');
    const before = (await revocations()).length;
    await publisher.sandbox.fault('x.revoke_token', { type: 'status', status: 503 }, 2);
    await disconnect(call, integration);
    await eventually(async () => (await revocations()).length === before + 4);
    await eventually(async () => (await publisher.db.collection('revocations').countDocuments({ integration_id: integration.id })) === 0);
  });

  test('keeps the access of the same account in another business', async () => {
    const accountId = await publisher.sandbox.createAccount('x', 'shared_by_two');
    const [one, other] = [aBusiness(), aBusiness()];
    const [a, b] = [oneOf(await connect(one, 'x', accountId)), oneOf(await connect(other, 'x', accountId))];
    const before = (await revocations()).length;
    await disconnect(one, a);
    await eventually(async () => (await publisher.db.collection('revocations').countDocuments({ integration_id: a.id })) === 0);
    expect((await revocations()).length).toBe(before);
    expect((await publisher.client.refreshIntegration({ operationId: newId(), integrationId: b.id }, other)).integration?.status).toBe(
      'INTEGRATION_STATUS_CONNECTED',
    );
  });

  test('keeps the access of another account of the same person, where the platform revokes everything a person granted', async () => {
    const call = aBusiness();
    const channelOf = async () => oneOf(await connect(call, 'youtube'));
    const location = await publisher.connect('google_business');
    const rows = publisher.db.collection('integrations');
    const personOf = async ({ id }: Integration) => (await rows.findOne({ _id: id as never }))?.['platform_user_id'] as string;
    const calls = async () => (await publisher.sandbox.exchanges('youtube.revoke_token')).length;
    const leave = async () => {
      const channel = await channelOf();
      await disconnect(call, channel);
      await eventually(async () => (await publisher.db.collection('revocations').countDocuments({ integration_id: channel.id })) === 0);
      return channel;
    };
    const before = await calls();
    // Another person's.
    const person = await personOf(await leave());
    expect(await personOf(location)).not.toBe(person);
    expect(await calls()).toBe(before + 1);
    await rows.updateOne({ _id: location.id as never }, { $set: { platform_user_id: person } });
    await leave();
    await rows.updateOne({ _id: location.id as never }, { $unset: { platform_user_id: true } });
    await leave();
    expect(await calls()).toBe(before + 1);
  });

  test('at Meta, keeps the access of what the same person connected in another business, and revokes it with the last one', async () => {
    const [one, other] = [aBusiness(), aBusiness()];
    const rows = publisher.db.collection('integrations');
    // What other tests have connected is another person's.
    await rows.updateMany({ platform: { $in: ['facebook', 'instagram'] } }, { $set: { platform_user_id: 'another person' } });
    const [a, b] = [oneOf(await connect(one, 'facebook')), oneOf(await connect(other, 'instagram'))];
    const calls = async () => (await publisher.sandbox.exchanges('facebook.revoke_permissions')).map(({ status }) => status);
    const left = async (call: Call, integration: Integration) => {
      await disconnect(call, integration);
      await eventually(async () => (await publisher.db.collection('revocations').countDocuments({ integration_id: integration.id })) === 0);
    };
    await left(one, a);
    expect(await calls()).toEqual([]);
    expect((await publisher.client.refreshIntegration({ operationId: newId(), integrationId: b.id }, other)).integration?.status).toBe(
      'INTEGRATION_STATUS_CONNECTED',
    );
    await left(other, b);
    expect(await calls()).toEqual([200]);
  });

  test('is undone by reconnecting, with the same id and settings', async () => {
    const call = aBusiness();
    const integration = await aloneOnX(call, 'coming_back');
    const settings = { reply_settings: 'following' };
    await publisher.client.updateIntegration(
      { operationId: newId(), integrationId: integration.id, expectedRevisions: [], settings },
      call,
    );
    await disconnect(call, integration);
    const again = oneOf(await connect(call, 'x', integration.accountId));
    expect(again).toMatchObject({ id: integration.id, status: 'INTEGRATION_STATUS_CONNECTED', settings });
    expect((await publisher.client.refreshIntegration({ operationId: newId(), integrationId: again.id }, call)).integration?.id).toBe(
      again.id,
    );
  });
});
