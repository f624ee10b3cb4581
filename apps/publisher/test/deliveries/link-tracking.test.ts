import { newId } from '@fanfare/runtime';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const linkTracking = { source: '{platform}', medium: 'social', content: '{post_id}' };
const aPage = () => `https://example.com/${newId()}`;

test('links in the caption and the first comment get the parameters of this post on this platform', async () => {
  const integration = await publisher.connect('facebook');
  const [page, postId] = [aPage(), newId()];
  const wanted = { integration, caption: `Bread: ${page}.`, firstComment: `${page}?utm_source=ours#top`, postId, linkTracking };
  const [id = ''] = await publisher.publish(wanted);
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', warnings: [] });
  expect(await publisher.sandbox.posts(`Bread: ${page}?utm_source=facebook&utm_medium=social&utm_content=${postId}.`)).toMatchObject([
    { comments: [{ text: `${page}?utm_source=ours&utm_medium=social&utm_content=${postId}#top` }] },
  ]);
});

test.each([
  ['x', 'x.create_post'],
  ['facebook', 'facebook.create_feed_post'],
  ['google_business', 'google_business.create_post'],
])('a post on %s whose response is lost is found by the text that was sent, and sent once', async (platform, commit) => {
  const integration = await publisher.connect(platform);
  const [page, postId] = [aPage(), newId()];
  await publisher.sandbox.fault(commit, { type: 'accept_then_drop' });
  const [id = ''] = await publisher.publish({ integration, caption: `Lost: ${page}`, postId, linkTracking });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.exchanges(commit, page)).toHaveLength(1);
  const sent = `Lost: ${page}?utm_source=${platform}&utm_medium=social&utm_content=${postId}`;
  expect(await publisher.sandbox.posts(sent)).toHaveLength(1);
});

test('an attempt after a rejected one sends the same bytes', async () => {
  const integration = await publisher.connect('x');
  const page = aPage();
  const reset = Math.floor(Date.now() / 1_000) + 20;
  await publisher.sandbox.fault('x.create_post', { type: 'status', status: 429, headers: { 'x-rate-limit-reset': String(reset) } });
  const [id = ''] = await publisher.publish({ integration, caption: `Again: ${page}`, linkTracking });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 2 });
  const [first, second, ...more] = await publisher.sandbox.exchanges('x.create_post', page);
  expect(first?.body).toMatchObject({ text: expect.stringContaining(`${page}?utm_source=x&`) as string });
  expect(second?.body).toEqual(first?.body);
  expect(more).toEqual([]);
});

test('a button from the settings of an account gets them too', async () => {
  const integration = await publisher.connect('google_business');
  const [page, operationId] = [aPage(), newId()];
  const settings = { call_to_action: { action_type: 'BOOK', url: page } };
  await publisher.client.updateIntegration({ operationId, integrationId: integration.id, expectedRevisions: [], settings }, publisher.call);
  const caption = `Book ${newId()}`;
  const [id = ''] = await publisher.publish({ integration, caption, linkTracking: { source: '{platform}' } });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  const [exchange] = await publisher.sandbox.exchanges('google_business.create_post', caption);
  expect(exchange?.body).toMatchObject({ callToAction: { actionType: 'BOOK', url: `${page}?utm_source=google_business` } });
});

test('a text that is too long with the parameters is not sent, with the reason', async () => {
  const integration = await publisher.connect('google_business');
  const caption = `${'a'.repeat(1_440)} ${aPage()}`;
  const [id = ''] = await publisher.publish({ integration, caption, linkTracking });
  expect(await publisher.outcome(id)).toMatchObject({
    status: 'DELIVERY_STATUS_FAILED',
    errorType: 'validation_failed',
    errorMessage: expect.stringMatching(/^caption: \d+ characters; .* link_tracking of the business/) as string,
  });
});
