import type { Connection } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { BSON } from 'mongodb';
import { hashState } from '../../src/accounts/store/connections.ts';
import { aBusiness, connecting, oneOf } from './connecting.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
/** A second page, so that the Facebook login owns several accounts. */
let secondPage: string;
beforeAll(async () => {
  publisher = await startPublisher();
  secondPage = await publisher.sandbox.createAccount('facebook', 'harbourbakery');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const rejection = { code: 'invalid_request', param: 'state' };
const { begin, finish, connect, read, choose, list, get } = connecting(() => publisher);

describe('connecting', () => {
  test('a login with one account connects it, and the state alone is enough to read the result', async () => {
    const call = aBusiness();
    const { connectionId, authorizeUrl, expiresAt } = await begin(call, 'x', { returnUrl: 'https://app.example/accounts' });
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await read(call, connectionId)).toMatchObject({ status: 'CONNECTION_STATUS_PENDING', integrations: [] });
    const finished = await finish(await publisher.consent(authorizeUrl));
    const { organizationId, businessId } = call.call.metadata;
    expect(finished).toMatchObject({
      id: connectionId,
      status: 'CONNECTION_STATUS_CONNECTED',
      organizationId,
      businessId,
      returnUrl: 'https://app.example/accounts',
      integrations: [{ platform: 'x', status: 'INTEGRATION_STATUS_CONNECTED', settings: {} }],
    });
    expect(await list(call)).toEqual(finished.integrations);
    expect(oneOf(finished).capabilities.flatMap(({ name, available }) => (available ? [] : [name]))).toEqual(['drafts']);
  });

  test('of a login with several accounts some are chosen, and the others are erased', async () => {
    const call = aBusiness();
    const offered = await connect(call, 'facebook');
    expect(offered.status).toBe('CONNECTION_STATUS_CHOOSING');
    expect(offered.accounts.length).toBeGreaterThan(1);
    expect(await list(call)).toEqual([]);
    expect(await read(call, offered.id)).toEqual(offered);
    const chosen = (await choose(call, offered.id, [secondPage, secondPage])).connection;
    expect(chosen).toMatchObject({ status: 'CONNECTION_STATUS_CONNECTED', accounts: [], integrations: [{ accountId: secondPage }] });
    expect((await list(call)).map(({ accountId }) => accountId)).toEqual([secondPage]);

    const again = await connect(call, 'facebook');
    expect(again.accounts.find(({ accountId }) => accountId === secondPage)?.integrationId).toBe((await list(call))[0]?.id);
  });

  test('a choice is made once, by one caller, among the offered accounts; a repeat returns the same result', async () => {
    const call = aBusiness();
    const { id, accounts } = await connect(call, 'facebook');
    await expect(choose(call, id, [secondPage, 'made-up'])).rejects.toMatchObject({ code: 'invalid_value', param: 'account_ids.1' });
    const operations = [newId(), newId(), newId()];
    const results = await Promise.allSettled(
      operations.map((operationId, index) => choose(call, id, [accounts[index % 2]?.accountId ?? ''], operationId)),
    );
    const won = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await list(call)).toHaveLength(1);
    const repeat = await choose(call, id, [accounts[won % 2]?.accountId ?? ''], operations[won]);
    expect(repeat.connection?.integrations).toEqual(await list(call));
    await expect(choose(call, id, [secondPage])).rejects.toMatchObject({ code: 'conflict' });
  });

  test('no response shows a token of the offered accounts, and they are stored encrypted', async () => {
    const call = aBusiness();
    const offered = await connect(call, 'facebook');
    expect(JSON.stringify(offered)).not.toMatch(/sbx\w*_|token"/i);
    const stored = await publisher.db.collection('connection_attempts').findOne({ _id: offered.id as never });
    expect(stored?.['offered']).toMatch(/^test\./);
    expect(BSON.EJSON.stringify(stored)).not.toMatch(/sbx\w*_/);
    await choose(call, offered.id, [secondPage]);
    expect(await publisher.db.collection('connection_attempts').findOne({ _id: offered.id as never })).not.toHaveProperty('offered');
  });

  test('nobody else can read the attempt, choose, or reconnect accounts of others', async () => {
    const call = aBusiness();
    const offered = await connect(call, 'facebook');
    const mine = oneOf(await connect(call, 'x'));
    for (const other of [aBusiness(), aBusiness(call.call.metadata.organizationId)]) {
      const notFound = { code: 'resource_not_found' };
      await expect(read(other, offered.id)).rejects.toMatchObject(notFound);
      await expect(choose(other, offered.id, [secondPage])).rejects.toMatchObject(notFound);
      await expect(get(other, mine.id)).rejects.toMatchObject(notFound);
      const edit = { operationId: newId(), integrationId: mine.id, expectedRevisions: [] };
      await expect(publisher.client.updateIntegration({ ...edit, settings: {} }, other)).rejects.toMatchObject(notFound);
      await expect(publisher.client.disconnectIntegration(edit, other)).rejects.toMatchObject(notFound);
      await expect(publisher.client.refreshIntegration(edit, other)).rejects.toMatchObject(notFound);
      await expect(begin(other, 'x', { integrationId: mine.id })).rejects.toMatchObject({ code: 'invalid_value', param: 'integration_id' });
    }
    expect(await get(call, mine.id)).toEqual(mine);
  });

  test('a state works once, and only for its own flow', async () => {
    const call = aBusiness();
    const begun = await begin(call, 'x');
    const granted = await publisher.consent(begun.authorizeUrl);
    const operationId = newId();
    const finished = await finish(granted, { operationId });
    // The response may have been lost: it was the same request of the same browser.
    expect(await finish(granted, { operationId })).toEqual(finished);
    await expect(finish(granted)).rejects.toMatchObject(rejection);
    await expect(finish({ code: 'c', state: 'made-up' })).rejects.toMatchObject(rejection);
    const internal = await publisher.client.beginConnection({ platform: 'x', redirectUri: publisher.redirectUri }, call);
    const forInternalUse = await publisher.consent(internal.authorizeUrl);
    await expect(finish(forInternalUse)).rejects.toMatchObject(rejection);
    expect((await publisher.client.completeConnection(forInternalUse, call)).integrations).toHaveLength(1);
  });

  test('an expired state does not work, and the attempt reports that it expired', async () => {
    const call = aBusiness();
    const { connectionId, authorizeUrl, state } = await begin(call, 'x');
    const past = { $set: { expires_at: new Date(Date.now() - 60_000) } };
    await publisher.db.collection('connections').updateOne({ _id: hashState(state) as never }, past);
    await publisher.db.collection('connection_attempts').updateOne({ _id: connectionId as never }, past);
    await expect(finish(await publisher.consent(authorizeUrl))).rejects.toMatchObject(rejection);
    expect(await read(call, connectionId)).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'expired' });
  });

  test('a choice expires if nobody makes it in time', async () => {
    const call = aBusiness();
    const { id } = await connect(call, 'facebook');
    await publisher.db
      .collection('connection_attempts')
      .updateOne({ _id: id as never }, { $set: { expires_at: new Date(Date.now() - 60_000) } });
    await expect(choose(call, id, [secondPage])).rejects.toMatchObject({ code: 'conflict' });
    expect(await list(call)).toEqual([]);
    expect(await read(call, id)).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'expired', accounts: [] });
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['server_error', 'platform_error'],
    ['$$ROOT', 'platform_error'],
  ])('a person who returns with %s has connected nothing: %s', async (said, error) => {
    const call = aBusiness();
    const { state, connectionId } = await begin(call, 'x');
    expect(await finish({ code: '', state }, { error: said })).toMatchObject({
      id: connectionId,
      status: 'CONNECTION_STATUS_FAILED',
      error,
    });
    expect(await list(call)).toEqual([]);
    await expect(finish({ code: 'c', state })).rejects.toMatchObject(rejection);
  });

  test('a code that the platform rejects, or an outage of the platform, is a result', async () => {
    const call = aBusiness();
    const { state } = await begin(call, 'x');
    expect(await finish({ code: 'made-up', state })).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'platform_error' });
    await publisher.sandbox.fault('x.exchange_code', { type: 'status', status: 503 });
    expect(await connect(call, 'x')).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'platform_error' });
  });

  test('a reconnected account keeps its id and settings, and no other account is connected in its place', async () => {
    const call = aBusiness();
    const own = await publisher.sandbox.createAccount('x', `again_${Date.now()}`);
    const before = oneOf(await connect(call, 'x', own));
    const settings = { reply_settings: 'following' };
    const edit = { operationId: newId(), integrationId: before.id, expectedRevisions: [], settings };
    await publisher.client.updateIntegration(edit, call);
    expect(await connect(call, 'x', undefined, { integrationId: before.id })).toMatchObject({ error: 'other_account', integrations: [] });
    const again = oneOf(await connect(call, 'x', own, { integrationId: before.id }));
    expect(again).toMatchObject({ id: before.id, createdAt: before.createdAt, settings });
    expect(await list(call)).toHaveLength(1);
    await expect(begin(call, 'facebook', { integrationId: before.id })).rejects.toMatchObject({ code: 'invalid_value', param: 'platform' });
  });

  test('reconnecting one page does not offer the others', async () => {
    const call = aBusiness();
    const { id } = await connect(call, 'facebook');
    const page = oneOf((await choose(call, id, [secondPage])).connection as Connection);
    const again = await connect(call, 'facebook', undefined, { integrationId: page.id });
    expect(again).toMatchObject({ status: 'CONNECTION_STATUS_CONNECTED', integrations: [{ id: page.id, revision: page.revision + 1 }] });
  });
});
