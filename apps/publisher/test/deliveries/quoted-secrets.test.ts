import { topics } from '@fanfare/contracts';
import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { openTokens } from '../../src/accounts/tokens/tokens.ts';
import type { IntegrationDocument } from '../../src/accounts/store/integrations.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// Platforms may quote secrets in their error messages: no token of the account is reported or stored.
let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const tokensOf = async ({ id }: Integration) => {
  const row = await publisher.db.collection<IntegrationDocument>('integrations').findOne({ _id: id });
  if (!row) throw new Error('No account.');
  const { accessToken, refreshToken = '' } = openTokens(publisher.context, row);
  return { accessToken, refreshToken };
};
const keptOf = async () => {
  const rows = await Promise.all(
    ['deliveries', 'integrations', 'outbox', 'ledger'].map((name) => publisher.db.collection(name).find().toArray()),
  );
  return JSON.stringify([rows, publisher.peer.received(topics.deliveryChanged), publisher.peer.received(topics.integrationChanged)]);
};

test.each([
  ['x', 'x.create_post', 400, (quoted: string) => ({ title: 'Invalid', detail: quoted, status: 400 })],
  // It rejects with a success status.
  ['tiktok', 'tiktok.query_creator_info', 200, (quoted: string) => ({ data: {}, error: { code: 'invalid_params', message: quoted } })],
] as const)('%s, while a post is sent', async (platform, call, status, body) => {
  const integration = await publisher.connect(platform);
  const { accessToken, refreshToken } = await tokensOf(integration);
  await publisher.sandbox.fault(
    call,
    { type: 'status', status, apply: 'before', body: body(`of ${refreshToken}, or ${accessToken}`) },
    null,
  );
  const mediaIds = platform === 'tiktok' ? [await publisher.library.addImage()] : [];
  const options = platform === 'tiktok' ? { privacy_level: 'PUBLIC_TO_EVERYONE' } : {};
  const [id = ''] = await publisher.publish({ integration, caption: 'Quoted', mediaIds, options });
  expect(await publisher.outcome(id)).toMatchObject({ errorMessage: expect.stringContaining('of ***, or ***') as string });
  const kept = await keptOf();
  expect([kept.includes(refreshToken), kept.includes(accessToken)]).toEqual([false, false]);
});

test('while access is renewed', async () => {
  const integration = await publisher.connect('x');
  const { accessToken, refreshToken } = await tokensOf(integration);
  const words = `refresh ${refreshToken}, access ${accessToken}`;
  const body = { error: 'invalid_grant', error_description: words };
  await publisher.sandbox.fault('x.refresh_token', { type: 'status', status: 400, apply: 'before', body });
  const refreshing = publisher.client.refreshIntegration({ operationId: newId(), integrationId: integration.id }, publisher.call);
  await expect(refreshing).rejects.toMatchObject({ message: expect.stringContaining('refresh ***, access ***') as string });
  const { integration: returned } = await publisher.client.getIntegration({ integrationId: integration.id }, publisher.call);
  expect(returned?.lastError).toContain('refresh ***, access ***');
});
