import { createHmac } from 'node:crypto';
import { topics } from '@fanfare/contracts';
import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

/** The one person who owns everything in the sandbox. */
const PERSON = '10150000000000001';
const META = callAs({ organizationId: '', businessId: '' });

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());

const signed = (userId = PERSON, { app = 'facebook', at = Date.now() } = {}) => {
  const said = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(at / 1000) };
  const payload = Buffer.from(JSON.stringify(said)).toString('base64url');
  return `${createHmac('sha256', `sandbox-${app}-secret`).update(payload).digest('base64url')}.${payload}`;
};
const deauthorize = (signedRequest: string) => publisher.client.deauthorizeMetaUser({ signedRequest }, META);
const erase = async (signedRequest: string) => {
  const { deletion } = await publisher.client.deleteMetaUserData({ signedRequest }, META);
  if (!deletion) throw new Error('No deletion.');
  return deletion;
};
const anotherBusiness = () => callAs({ organizationId: newId(), businessId: newId() });
const row = (id: string) => publisher.db.collection('integrations').findOne({ _id: id as never });
const emitted = (id: string, status: string) =>
  eventually(() =>
    publisher.peer
      .received(topics.integrationChanged)
      .some(({ data }) => data.integration?.id === id && data.integration.status === status),
  );
/** Everything that is stored, except events that wait for Kafka. */
const everything = async () => {
  const collections = (await publisher.db.listCollections().toArray()).map(({ name }) => name).filter((name) => name !== 'outbox');
  return JSON.stringify(await Promise.all(collections.map((name) => publisher.db.collection(name).find().toArray())));
};

test('the accounts of a person who removed the app have to be reconnected, in every organization', async () => {
  const elsewhere = anotherBusiness();
  const accounts = [await publisher.connect('facebook'), await publisher.connect('facebook', elsewhere)];
  const ofOthers = [await publisher.connect('instagram'), await publisher.connect('x')];
  await deauthorize(signed());
  for (const { id } of accounts) {
    expect(await row(id)).toMatchObject({
      status: 'INTEGRATION_STATUS_EXPIRED',
      tokens: '',
      last_error: expect.stringContaining('removed') as string,
    });
    await emitted(id, 'INTEGRATION_STATUS_EXPIRED');
  }
  // Another app of the same person.
  for (const { id } of ofOthers) expect((await row(id))?.['status']).toBe('INTEGRATION_STATUS_CONNECTED');

  const [first] = accounts;
  if (!first) throw new Error('There is one.');
  const refreshing = publisher.client.refreshIntegration({ operationId: newId(), integrationId: first.id }, publisher.call);
  await expect(refreshing).rejects.toMatchObject({ code: 'SOCIAL_TOKEN_EXPIRED' });
  const [delivery = ''] = await publisher.publish({ integration: first, caption: 'Waits for nobody' });
  expect(await publisher.outcome(delivery)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'token_expired' });

  const revision = (await row(first.id))?.['revision'] as number;
  await deauthorize(signed());
  expect((await row(first.id))?.['revision']).toBe(revision);
  expect(await publisher.connect('facebook')).toMatchObject({ id: first.id, status: 'INTEGRATION_STATUS_CONNECTED', lastError: undefined });
});

test('access that was granted after the request was signed is not affected: a replay does nothing', async () => {
  const account = await publisher.connect('facebook');
  await deauthorize(signed(PERSON, { at: Date.now() - 60_000 }));
  expect((await row(account.id))?.['status']).toBe('INTEGRATION_STATUS_CONNECTED');
  await erase(signed(PERSON, { at: Date.now() - 60_000 }));
  expect((await row(account.id))?.['status']).toBe('INTEGRATION_STATUS_CONNECTED');
});

test('accounts that are offered to a person who removed the app are withdrawn', async () => {
  await publisher.sandbox.createAccount('facebook', 'anotherpage');
  const connectionId = newId();
  const request = { platform: 'facebook', redirectUri: publisher.redirectUri, connectionId };
  const { authorizeUrl } = await publisher.client.beginConnection(request, publisher.call);
  const granted = await publisher.consent(authorizeUrl);
  await publisher.client.finishConnection({ operationId: newId(), error: '', errorDescription: '', ...granted }, META);
  await deauthorize(signed());
  const { connection } = await publisher.client.getConnection({ connectionId }, publisher.call);
  expect(connection).toMatchObject({ status: 'CONNECTION_STATUS_FAILED', error: 'access_denied', accounts: [] });
  const attempt = await publisher.db.collection('connection_attempts').findOne({ _id: connectionId as never });
  expect(Object.keys(attempt ?? {})).not.toEqual(expect.arrayContaining(['offered']));
});

test('the data of a person who requests deletion are erased, and the person can read that', async () => {
  const page = await publisher.sandbox.createAccount('facebook', 'tobeforgotten');
  const account = await publisher.connectAs('facebook', page);
  const [delivery = ''] = await publisher.publish({ integration: account, caption: 'Stays on the platform' });
  expect(await publisher.outcome(delivery)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(await everything()).toContain('tobeforgotten');
  const connectionId = newId();
  const begun = await publisher.client.beginConnection(
    { platform: 'facebook', redirectUri: publisher.redirectUri, connectionId },
    publisher.call,
  );
  const granted = await publisher.consent(begun.authorizeUrl);
  await publisher.client.finishConnection({ operationId: newId(), error: '', errorDescription: '', ...granted }, META);

  // A person has a different id for each app, and each app sends its own request.
  await erase(signed(PERSON, { app: 'instagram' }));
  const deletion = await erase(signed());
  expect(deletion.confirmationCode).toMatch(/^[0-9a-f]{40}$/);
  const left = await everything();
  for (const personal of [PERSON, 'tobeforgotten']) expect(left).not.toContain(personal);
  expect(await row(account.id)).toBeNull();
  await emitted(account.id, 'INTEGRATION_STATUS_DISCONNECTED');
  const erased = publisher.client.getIntegration({ integrationId: account.id }, publisher.call);
  await expect(erased).rejects.toMatchObject({ code: 'resource_not_found' });
  const [late = ''] = await publisher.publish({ integration: account, caption: 'Too late' });
  expect(await publisher.outcome(late)).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'permission_denied' });

  const { confirmationCode } = deletion;
  const read = (await publisher.client.getDataDeletion({ confirmationCode }, META)).deletion;
  expect(read).toEqual(deletion);
  expect((await erase(signed())).confirmationCode).toBe(confirmationCode);
  expect((await erase(signed('99'))).confirmationCode).not.toBe(confirmationCode);
  const unknown = publisher.client.getDataDeletion({ confirmationCode: confirmationCode.replace(/.$/, 'x') }, META);
  await expect(unknown).rejects.toMatchObject({ code: 'resource_not_found' });
  expect((await publisher.connectAs('facebook', page)).id).not.toBe(account.id);
});

test.each([
  ['signed by another app', signed(PERSON, { app: 'x' })],
  ['of last month', signed(PERSON, { at: Date.now() - 30 * 24 * 3600_000 })],
  ['with another person in it', signed().replace(/\..*$/, `.${signed('7').split('.')[1]}`)],
  ['without a signature', 'x'],
])('a request %s is rejected without the reason', async (_what, request) => {
  const rejection = {
    code: 'invalid_request',
    param: 'signed_request',
    detail: 'The signature is not valid: Meta did not sign this request for our app.',
  };
  await expect(deauthorize(request)).rejects.toMatchObject(rejection);
  await expect(erase(request)).rejects.toMatchObject(rejection);
});
