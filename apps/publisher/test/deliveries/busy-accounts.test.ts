import { eventually } from '@fanfare/testing';
import { credentialsOf } from '../../src/accounts/tokens/credentials.ts';
import { findIntegration } from '../../src/accounts/store/integrations.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// A lost commit is searched for among an account's newest posts; on a busy account, newer posts come before it.
const OTHERS = 120;

let publisher: TestPublisher;

beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

test.each([
  { platform: 'x', accounts: /./, create: 'x.create_post', list: 'x.list_user_posts', url: 'api.x.com/2/tweets' },
  {
    platform: 'linkedin',
    accounts: /organization/,
    create: 'linkedin.create_post',
    list: 'linkedin.list_posts',
    url: 'api.linkedin.com/rest/posts',
  },
  {
    platform: 'pinterest',
    accounts: /./,
    create: 'pinterest.create_pin',
    list: 'pinterest.list_board_pins',
    url: 'api.pinterest.com/v5/pins',
  },
])('$platform: a lost post is found behind many newer posts', async ({ platform, accounts, create, list, url }) => {
  const { sandbox } = publisher;
  const account = await connected(platform, accounts);
  await sandbox.fault(create, { type: 'accept_then_drop' });
  // Nobody reads the list before all of them exist.
  await sandbox.fault(list, { type: 'hold' }, null);

  const caption = `The one that ${platform} published without a response`;
  const isPinterest = platform === 'pinterest';
  const options = isPinterest ? { board_id: await boardOf(account.integration.id) } : {};
  const mediaIds = isPinterest ? [await publisher.library.addImage()] : [];
  const [id = ''] = await publisher.publish({ integration: account.integration, caption, mediaIds, options });
  const ours = await eventually(async () => (await sandbox.posts(caption))[0]);

  const [sent] = await sandbox.exchanges(create, caption);
  await Promise.all(
    Array.from({ length: OTHERS }, async (_, index) => {
      const body = JSON.stringify(sent?.body).replaceAll(caption, `Number ${index} of others`);
      const headers = { ...account.headers, 'content-type': 'application/json' };
      const response = await fetch(`${sandbox.url}/${url}`, { method: 'POST', headers, body });
      expect(response.status).toBe(201);
    }),
  );
  await sandbox.clearFaults();

  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', publishId: ours.id, attempts: 1 });
  expect(await sandbox.posts(caption)).toHaveLength(1);
});

/** An account of the platform with such an id, and the credentials with which others post to it. */
async function connected(platform: string, accountId: RegExp) {
  await publisher.connect(platform);
  const found = await publisher.db.collection('integrations').findOne({ platform, account_id: accountId });
  const integration = await findIntegration(publisher.db, String(found?._id));
  if (!integration) throw new Error(`There is no such account of ${platform}.`);
  const { accessToken } = credentialsOf(publisher.context, integration);
  const versions = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' };
  return { integration: { id: integration._id, platform }, headers: { authorization: `Bearer ${accessToken}`, ...versions } };
}

async function boardOf(integrationId: string): Promise<string> {
  const { choices } = await publisher.client.listChoices({ integrationId, option: 'board_id', given: {}, pageToken: '' }, publisher.call);
  return choices[0]?.value ?? '';
}
