import { readFileSync } from 'node:fs';
import type { Integration } from '@fanfare/contracts/publisher';
import { callAs } from '@fanfare/testing';
import { newId } from '@fanfare/runtime';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// Only the platform knows what an account can choose from: a rejection names the option, and where to list its choices.
const reel = readFileSync('apps/sandbox/test/fixtures/reel.mp4');

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const rejection = (errorMessage: RegExp) => ({
  status: 'DELIVERY_STATUS_FAILED',
  errorType: 'validation_failed',
  errorMessage: expect.stringMatching(errorMessage) as string,
});
async function send(integration: Integration, caption: string, mediaIds: string[], options: Record<string, unknown>) {
  const [id = ''] = await publisher.publish({ integration, caption, mediaIds, options });
  return publisher.outcome(id);
}

test('a board that does not exist, and a section that is not on the board', async () => {
  const pinterest = await publisher.connect('pinterest');
  const mediaIds = [await publisher.library.addImage()];
  expect(await send(pinterest, 'Nowhere', mediaIds, { board_id: '404' })).toMatchObject(
    rejection(
      /^options\.board_id: Board not found\. GET …\/integrations\/\{integration_id\}\/choices\/board_id lists the values for this account\.$/,
    ),
  );
  const request = { integrationId: pinterest.id, option: 'board_id', given: {}, pageToken: '' };
  const [board] = (await publisher.client.listChoices(request, publisher.call)).choices;
  expect(await send(pinterest, 'No such section', mediaIds, { board_id: board?.value, board_section_id: '404' })).toMatchObject(
    rejection(
      /^options\.board_section_id: Board section not found\. GET .*\/choices\/board_section_id lists the values for this account\.$/,
    ),
  );
});

test('a category that YouTube does not have, before the call, and one that it rejects in the call', async () => {
  const youtube = await publisher.connect('youtube');
  const mediaIds = [publisher.library.addVideo(reel)];
  expect(await send(youtube, 'Uncategorised', mediaIds, { category_id: '99' })).toMatchObject(
    rejection(/^options\.category_id: YouTube does not allow videos in category 99\. Allowed categories: 1, 2, 10, /),
  );
  expect(await publisher.sandbox.exchanges('youtube.start_upload')).toEqual([]);
  const message = 'The request metadata specifies an invalid category ID.';
  const body = { error: { code: 400, message, errors: [{ domain: 'youtube.video', reason: 'invalidCategoryId', message }] } };
  await publisher.sandbox.fault('youtube.start_upload', { type: 'status', status: 400, body });
  expect(await send(youtube, 'Not in this country', mediaIds, { category_id: '29' })).toMatchObject(
    rejection(
      /^options\.category_id: The request metadata specifies an invalid category ID\. GET .*\/choices\/category_id lists the values for this account\.$/,
    ),
  );
});

test('a privacy level that TikTok does not offer, before the call and after it', async () => {
  const tiktok = await publisher.connect('tiktok');
  const mediaIds = [await publisher.library.addImage()];
  expect(await send(tiktok, 'Not offered', mediaIds, { privacy_level: 'FOLLOWER_OF_CREATOR' })).toMatchObject(
    rejection(
      /^options\.privacy_level: this account offers PUBLIC_TO_EVERYONE, .*, but not FOLLOWER_OF_CREATOR\. .*\/choices\/privacy_level lists the values for this account\.$/,
    ),
  );
  const body = { error: { code: 'privacy_level_option_mismatch', message: 'Privacy level is not offered', log_id: '1' } };
  await publisher.sandbox.fault('tiktok.init_photos', { type: 'status', status: 403, body });
  expect(await send(tiktok, 'Offered no more', mediaIds, { privacy_level: 'SELF_ONLY' })).toMatchObject(
    rejection(/^options\.privacy_level: Privacy level is not offered\. .*\/choices\/privacy_level lists the values for this account\.$/),
  );
});

test('options that a LinkedIn page cannot have are not sent', async () => {
  const call = callAs({ organizationId: newId(), businessId: newId() });
  const { authorizeUrl } = await publisher.client.beginConnection({ platform: 'linkedin', redirectUri: publisher.redirectUri }, call);
  const { integrations } = await publisher.client.completeConnection(await publisher.consent(authorizeUrl), call);
  const page = integrations.find(({ accountId }) => accountId.startsWith('urn:li:organization:'));
  if (!page) throw new Error('No page was connected.');
  const [id = ''] = await publisher.publish({
    integration: page,
    caption: 'To connections',
    options: { visibility: 'CONNECTIONS' },
    organizationId: page.organizationId,
    businessId: page.businessId,
  });
  expect(await publisher.outcome(id)).toMatchObject(rejection(/^options\.visibility: A page has no connections/));
  expect(await publisher.sandbox.posts('To connections')).toEqual([]);
});
