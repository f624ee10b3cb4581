import { randomBytes } from 'node:crypto';
import { createKeyring, newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import type { Db } from 'mongodb';
import { refreshIntegration } from '../../src/accounts/tokens/refresh-integration.ts';
import { reseal } from '../../src/accounts/tokens/reseal.ts';
import type { IntegrationDocument } from '../../src/accounts/store/integrations.ts';
import { listSecrets, SECRET_PLACES } from '../../src/accounts/store/secrets.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey, lostKey] = [aKey('old'), aKey('new'), aKey('lost')];
const OPERATOR = callAs({ organizationId: '', businessId: '' });
const PAGE = 3;

let publisher: TestPublisher;
beforeAll(async () => {
  // The first step of an operator: every process has the new key, but does not encrypt with it yet.
  publisher = await startPublisher({ env: { KEYRING: `${oldKey},${newKey}`, PLATFORM_TIMEOUT_MS: '20000' } });
});
afterAll(() => publisher.stop());

type Client = TestPublisher['client'];
const refreshWith = (client: Client, integrationId: string) =>
  client.refreshIntegration({ operationId: newId(), integrationId }, publisher.call);

/** Goes through all secrets, page by page. `between` runs after each. */
async function rotate(client: Client, between: () => Promise<unknown> = async () => undefined) {
  const total = { resealed: 0, current: 0, unreadable: [] as unknown[], keyIds: new Set<string>() };
  let pageToken = '';
  do {
    const page = await client.rotateSecrets({ pageSize: PAGE, pageToken }, OPERATOR);
    total.resealed += page.resealed;
    total.current += page.current;
    total.unreadable.push(...page.unreadable);
    total.keyIds.add(page.keyId);
    pageToken = page.nextPageToken;
    // The id of a connection is the state of a person's flow.
    for (const state of await statesOf(publisher.db)) expect(pageToken).not.toContain(state);
    await between();
  } while (pageToken !== '');
  return total;
}

let statesOf = async (db: Db) => (await db.collection('connections').find().toArray()).map(({ _id }) => String(_id));

test('every token is re-encrypted while tokens are refreshed, and then the old key is no longer needed', async () => {
  const { client, call } = publisher;
  const accounts: { id: string; accountId: string }[] = [];
  for (let at = 0; at < 8; at++) {
    accounts.push(await publisher.connectAs('x', await publisher.sandbox.createAccount('x', `rotated_${at}`)));
  }
  // One secret of every kind: an offer of several pages, a flow in progress, access that is being revoked.
  await publisher.sandbox.createAccount('facebook', 'secondpage');
  const [choosing, pending] = [newId(), newId()];
  const begun = await client.beginConnection({ platform: 'facebook', redirectUri: publisher.redirectUri, connectionId: choosing }, call);
  const granted = await publisher.consent(begun.authorizeUrl);
  await client.finishConnection({ operationId: newId(), error: '', errorDescription: '', ...granted }, OPERATOR);
  const flow = await client.beginConnection({ platform: 'x', redirectUri: publisher.redirectUri, connectionId: pending }, call);
  const [disconnected, ...kept] = accounts;
  await publisher.sandbox.fault('x.revoke_token', { type: 'status', status: 503 }, null);
  await client.disconnectIntegration({ operationId: newId(), integrationId: disconnected?.id ?? '', expectedRevisions: [] }, call);

  // The second step: encrypt with the new key.
  const second = await publisher.restart({ KEYRING: `${newKey},${oldKey}` });
  statesOf = async () => (await second.db.collection('connections').find().toArray()).map(({ _id }) => String(_id));
  const before = (await second.client.countSecrets({}, OPERATOR)).keys;
  expect(before).toMatchObject([
    { keyId: 'new', known: true, secrets: 0 },
    { keyId: 'old', known: true, secrets: 10 },
  ]);
  let refreshing: Promise<unknown>[] = [];
  const total = await rotate(second.client, async () => {
    refreshing = refreshing.concat(kept.map(({ id }) => refreshWith(second.client, id)));
  });
  await Promise.all(refreshing);
  expect(total).toMatchObject({ unreadable: [], keyIds: new Set(['new']) });
  expect(total.resealed + total.current).toBe(10);
  expect((await second.client.countSecrets({}, OPERATOR)).keys).toMatchObject([{ keyId: 'new' }, { keyId: 'old', secrets: 0 }]);

  // The last step: the old key is removed.
  await publisher.sandbox.clearFaults();
  const third = await publisher.restart({ KEYRING: newKey });
  statesOf = async () => [];
  expect((await third.client.countSecrets({}, OPERATOR)).keys).toEqual([
    { keyId: 'new', known: true, secrets: expect.any(Number) as number },
  ]);
  // X accepts each refresh token once: the latest one was stored each time.
  for (const { id } of kept) {
    expect((await refreshWith(third.client, id)).integration).toMatchObject({ status: 'INTEGRATION_STATUS_CONNECTED' });
  }
  const [id = ''] = await publisher.publish({ integration: { id: kept[0]?.id ?? '', platform: 'x' }, caption: 'Under the new key' });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  const offered = (await third.client.getConnection({ connectionId: choosing }, call)).connection;
  expect(offered?.accounts.length).toBeGreaterThan(1);
  const flowEnd = await publisher.consent(flow.authorizeUrl, kept[0]?.accountId);
  const finished = await third.client.finishConnection({ operationId: newId(), error: '', errorDescription: '', ...flowEnd }, OPERATOR);
  expect(finished.connection?.status).toBe('CONNECTION_STATUS_CONNECTED');

  // Re-encrypting a secret that a refresh has replaced meanwhile keeps the newer one.
  const integrations = third.db.collection<IntegrationDocument>('integrations');
  const both = createKeyring(`${newKey},${oldKey}`);
  const [place] = SECRET_PLACES;
  const [now] = place ? await listSecrets(third.db, place, '', 1) : [];
  if (!place || !now) throw new Error('There is a secret.');
  const read = { ...now, sealed: createKeyring(oldKey).seal('{"accessToken":"used up"}', now.context) };
  expect(await reseal({ db: third.db, keyring: both }, place, read)).toBe('current');
  expect(await integrations.findOne({ _id: now._id })).toMatchObject({ tokens: now.sealed });

  // A caller whose token was rejected must not get the response that it was refreshed just because it was re-encrypted.
  const known = await integrations.findOne({ _id: kept[3]?.id ?? '' });
  if (!known) throw new Error('There is an account.');
  const context = `integration:${known._id}`;
  const resealed = { ...known, tokens: createKeyring(newKey).seal(createKeyring(newKey).open(known.tokens, context), context) };
  const refreshes = (await publisher.sandbox.exchanges('x.refresh_token')).length;
  expect((await refreshIntegration(third.context, resealed)).revision).toBe(known.revision + 1);
  expect((await publisher.sandbox.exchanges('x.refresh_token')).length).toBe(refreshes + 1);

  // A repeat has nothing left to do and breaks nothing.
  const again = await rotate(third.client);
  expect(again).toMatchObject({ resealed: 0, unreadable: [] });

  // A token whose key is missing is reported and left unchanged, in case the key is found.
  const integrationId = kept[1]?.id ?? '';
  const tokens = createKeyring(lostKey).seal('{"accessToken":"a"}', `integration:${integrationId}`);
  await integrations.updateOne({ _id: integrationId }, { $set: { tokens } });
  // The same for a token that only seems to be encrypted with the right key.
  const samePlace = kept[2]?.id ?? '';
  const forged = createKeyring(aKey('new')).seal('{"accessToken":"b"}', `integration:${samePlace}`);
  await integrations.updateOne({ _id: samePlace }, { $set: { tokens: forged } });
  const incomplete = await rotate(third.client);
  const collection = 'integrations';
  expect(incomplete.unreadable).toEqual([
    { collection, id: integrationId, keyId: 'lost' },
    { collection, id: samePlace, keyId: 'new' },
  ]);
  expect(await integrations.findOne({ _id: integrationId })).toMatchObject({ tokens });
  expect(await integrations.findOne({ _id: samePlace })).toMatchObject({ tokens: forged });
  expect((await third.client.countSecrets({}, OPERATOR)).keys).toContainEqual({ keyId: 'lost', known: false, secrets: 1 });
  expect(JSON.stringify(incomplete)).not.toContain(tokens.slice(5, 30));
  await expect(third.client.rotateSecrets({ pageSize: PAGE, pageToken: 'x' }, OPERATOR)).rejects.toMatchObject({ code: 'invalid_request' });
});
