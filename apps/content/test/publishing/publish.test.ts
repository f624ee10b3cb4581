import type { Post, PublishResult } from '@fanfare/contracts/content';
import { systemCall } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { deliveryOf, FAILURE, PROCESSING, statuses, SUCCESS } from './delivery-results.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
let accounts: string[];

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  accounts = await content.connect(call, ['facebook', 'x']);
});

const until = (post: Post, fits: (post: Post) => boolean) =>
  eventually(async () => {
    const now = await content.getPost(call, post.id);
    return fits(now) && now;
  });
/** Waits until all events that were emitted before are handled: a post whose event is emitted last has changed. */
async function allEventsHandled() {
  const own = aBusiness();
  await content.connect(own, ['x']);
  const last = await content.publishPost(own, (await content.createPost(own)).id);
  await content.emitDeliveries(last, [{ deliveryId: deliveryOf(last, 0), revision: 1, ...PROCESSING }]);
  await eventually(async () => statuses(await content.getPost(own, last.id))[0] === 'PROCESSING');
}
/** Partitions are by delivery: each of these topics' deliveries is waited for by itself. */
const revisionOf = async (post: Post, deliveryId: string) =>
  (await content.posts.findOne({ _id: post.id }))?.publish_results.find((one) => one.deliveryId === deliveryId)?.revision;

test('publishing returns a pending result for each target, and requests one publication with frozen content', async () => {
  const post = await content.createPost(call, {
    caption: 'Frozen',
    link: 'https://example.com/',
    mediaUrls: ['https://example.com/1.jpg'],
    platformOverrides: [{ override: { platform: 'x', caption: 'For X', firstComment: 'First' } }],
  });
  const publicationId = newId();
  const published = await content.publishPost(call, post.id, { publicationId });
  expect(published.publishResults).toMatchObject(
    accounts.map((integrationId) => ({ integrationId, publicationId, status: 'PUBLISH_RESULT_STATUS_PENDING' })).sort(byAccount),
  );
  const [request] = await eventually(() => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id));
  expect(request).toMatchObject({
    publicationId,
    organizationId: call.call.metadata.organizationId,
    businessId: call.call.metadata.businessId,
    deliveries: published.publishResults.map(({ deliveryId, integrationId, platform }) => ({ deliveryId, integrationId, platform })),
    snapshot: {
      caption: 'Frozen',
      link: 'https://example.com/',
      // Without texts: the publisher reads them from the library.
      media: post.media.map((one) => ({ ...one, description: '', facts: undefined })),
      platformOverrides: [{ platform: 'x', caption: 'For X', firstComment: 'First' }],
    },
  });
});

test('twenty concurrent calls, with one operation or with twenty, make one publication', async () => {
  for (const publicationId of [newId(), undefined]) {
    const { id } = await content.createPost(call);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => content.publishPost(call, id, { ...(publicationId !== undefined && { publicationId }) })),
    );
    const publications = new Set(responses.flatMap((post) => post.publishResults.map((result) => result.publicationId)));
    expect(publications.size).toBe(1);
    await allEventsHandled();
    await eventually(() => content.publicationsOf(id).length > 0);
    expect(content.publicationsOf(id)).toHaveLength(1);
    expect(await content.posts.findOne({ _id: id })).toMatchObject({ revision: 2, publication_ids: [...publications] });
  }
});

test('publishing while the post is being published returns the same publication', async () => {
  const { id } = await content.createPost(call);
  const first = await content.publishPost(call, id);
  expect((await content.publishPost(call, id)).publishResults).toEqual(first.publishResults);
});

test('a repeat after the end returns the current post, and sends nothing', async () => {
  const { id } = await content.createPost(call, { restrictPublishTo: ['x'] });
  const publicationId = newId();
  const post = await content.publishPost(call, id, { publicationId });
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 0), revision: 2, ...FAILURE }]);
  const failed = await until(post, (now) => statuses(now)[0] === 'FAILED');
  expect(await content.publishPost(call, id, { publicationId })).toEqual(failed);
});

test('the first success publishes the post for good', async () => {
  const post = await content.publishPost(call, (await content.createPost(call)).id);
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 0), revision: 2, ...SUCCESS }]);
  const published = await until(post, (now) => now.status === 'POST_STATUS_PUBLISHED');
  expect(published.publishedAt).toEqual(SUCCESS.publishedAt);
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 1), revision: 2, ...FAILURE }]);
  const after = await until(post, (now) => statuses(now)[1] === 'FAILED');
  expect(after).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publishedAt: SUCCESS.publishedAt });
  expect(after.publishResults[1]).toMatchObject({ errorType: 'validation_failed', errorMessage: 'Too long.' });
});

test('when every target has failed, the post returns to its previous status', async () => {
  const { id } = await content.createPost(call, { status: 'POST_STATUS_DRAFT' });
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(
    post,
    [0, 1].map((index) => ({ deliveryId: deliveryOf(post, index), revision: 2, ...FAILURE })),
  );
  const after = await until(post, (now) => statuses(now).every((status) => status === 'FAILED'));
  expect(after).toMatchObject({ status: 'POST_STATUS_DRAFT', publishedAt: undefined });
});

test('late, repeated and unrelated events change nothing', async () => {
  const post = await content.publishPost(call, (await content.createPost(call)).id);
  const [known, other] = [deliveryOf(post, 0), deliveryOf(post, 1)];
  await content.emitDeliveries(post, [
    { deliveryId: known, revision: 3, ...SUCCESS },
    { deliveryId: known, revision: 1, ...PROCESSING },
    { deliveryId: known, revision: 3, ...FAILURE },
    { deliveryId: known, revision: 3, ...SUCCESS },
    { deliveryId: newId(), revision: 1, ...SUCCESS },
    { deliveryId: newId(), revision: 1, ...SUCCESS, postId: newId() },
  ]);
  await until(post, (now) => now.status === 'POST_STATUS_PUBLISHED');
  // On the same partition: once this event is handled, all before it were.
  await content.emitDeliveries(post, [{ deliveryId: known, revision: 4, ...SUCCESS }]);
  await eventually(async () => (await revisionOf(post, known)) === 4);
  await content.emitDeliveries(post, [{ deliveryId: other, revision: 1, ...PROCESSING }]);
  const after = await until(post, (now) => statuses(now)[1] === 'PROCESSING');
  expect(statuses(after)).toEqual(['SUCCESS', 'PROCESSING']);
  expect(after.revision).toBe(post.revision + 3);
});

test('concurrent events of both deliveries are both applied', async () => {
  const many = aBusiness();
  await content.connect(
    many,
    Array.from({ length: 20 }, () => 'x'),
  );
  const post = await content.publishPost(many, (await content.createPost(many)).id);
  await content.emitDeliveries(
    post,
    post.publishResults.map(({ deliveryId }) => ({ deliveryId, revision: 2, ...SUCCESS })),
  );
  await eventually(async () => statuses(await content.getPost(many, post.id)).every((status) => status === 'SUCCESS'));
  expect((await content.getPost(many, post.id)).revision).toBe(post.revision + 20);
});

test('publishing again sends only what has failed, and is rejected if nothing has', async () => {
  const { id } = await content.createPost(call);
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(post, [
    { deliveryId: deliveryOf(post, 0), revision: 2, ...SUCCESS },
    { deliveryId: deliveryOf(post, 1), revision: 2, ...FAILURE },
  ]);
  await until(post, (now) => statuses(now).join() === 'SUCCESS,FAILED');
  const again = await content.publishPost(call, id);
  expect(statuses(again)).toEqual(['SUCCESS', 'PENDING']);
  expect(again.status).toBe('POST_STATUS_PUBLISHED');
  const [, request] = await eventually(() => content.publicationsOf(id).length === 2 && content.publicationsOf(id));
  expect(request?.deliveries.map(({ deliveryId }) => deliveryId)).toEqual([deliveryOf(again, 1)]);
  await content.emitDeliveries(again, [{ deliveryId: deliveryOf(again, 1), revision: 2, ...SUCCESS }]);
  await until(again, (now) => statuses(now).join() === 'SUCCESS,SUCCESS');
  await expect(content.publishPost(call, id)).rejects.toMatchObject({ code: 'conflict' });
});

test('an unknown outcome is sent again only with confirm_not_published', async () => {
  const { id } = await content.createPost(call, { restrictPublishTo: ['x'] });
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 0), revision: 2, ...FAILURE, errorType: 'unknown_outcome' }]);
  await until(post, (now) => statuses(now)[0] === 'FAILED');
  await expect(content.publishPost(call, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(statuses(await content.publishPost(call, id, { confirmNotPublished: true }))).toEqual(['PENDING']);
  const { entries } = await content.client.listEntries({ postId: id, after: undefined, pageSize: 100 }, call);
  expect(entries.filter(({ kind }) => kind === 'claimed').map(({ details }) => details?.['confirmed_not_published'])).toEqual([
    undefined,
    true,
  ]);
});

test('a restriction of a call applies to this call only', async () => {
  const { id } = await content.createPost(call, { restrictPublishTo: ['facebook'] });
  const post = await content.publishPost(call, id, { restrictPublishTo: ['x'] });
  expect(post.publishResults.map(({ platform }) => platform)).toEqual(['x']);
  expect(post.restrictPublishTo).toEqual(['facebook']);
});

test.each([
  ['an unknown account', async () => newId()],
  ['an account of another business', async () => (await content.connect(aBusiness(), ['x']))[0] ?? ''],
])('%s is named by its path, and nothing is sent', async (_what, foreign) => {
  const { id } = await content.createPost(call);
  const restrictPublishToIntegrationIds = [accounts[0] ?? '', await foreign()];
  const rejection = { code: 'invalid_value', param: 'restrict_publish_to_integration_ids.1' };
  await expect(content.publishPost(call, id, { restrictPublishToIntegrationIds })).rejects.toMatchObject(rejection);
  expect(await content.getPost(call, id)).toMatchObject({ publishResults: [], revision: 1 });
});

test('publishing is rejected if there is no account, or none of that platform', async () => {
  const alone = aBusiness();
  await expect(content.publishPost(alone, (await content.createPost(alone)).id)).rejects.toMatchObject({ code: 'invalid_request' });
  const { id } = await content.createPost(call);
  await expect(content.publishPost(call, id, { restrictPublishTo: ['tiktok'] })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a disconnected account is no target, and older events do not connect it again', async () => {
  const own = aBusiness();
  const [id = ''] = await content.connect(own, ['x']);
  const { organizationId, businessId } = own.call.metadata;
  const say = (revision: number, status: 'INTEGRATION_STATUS_CONNECTED' | 'INTEGRATION_STATUS_DISCONNECTED') =>
    content.announce({ id, organizationId, businessId, platform: 'x', status }, revision);
  await say(3, 'INTEGRATION_STATUS_DISCONNECTED');
  await say(2, 'INTEGRATION_STATUS_CONNECTED');
  const revision = async () => (await content.db.collection('integrations').findOne({ _id: id as never }))?.['revision'] as number;
  await eventually(async () => (await revision()) === 3);
  await say(3, 'INTEGRATION_STATUS_CONNECTED');
  await expect(content.publishPost(own, (await content.createPost(own)).id)).rejects.toMatchObject({ code: 'invalid_request' });
  await say(4, 'INTEGRATION_STATUS_CONNECTED');
  await eventually(async () => (await revision()) === 4);
  expect(statuses(await content.publishPost(own, (await content.createPost(own)).id))).toEqual(['PENDING']);
});

function byAccount(a: Pick<PublishResult, 'integrationId'>, b: Pick<PublishResult, 'integrationId'>): number {
  return a.integrationId < b.integrationId ? -1 : 1;
}

test('operators request running publications again, with the same deliveries, and none that has ended', async () => {
  const [one, other] = [await content.createPost(call, { caption: 'Runs' }), await content.createPost(call, { caption: 'Has ended' })];
  const running = await content.publishPost(call, one.id);
  const ended = await content.publishPost(call, other.id);
  await content.emitDeliveries(running, [{ deliveryId: deliveryOf(running, 0), revision: 1, ...SUCCESS }]);
  await content.emitDeliveries(
    ended,
    [0, 1].map((index) => ({ deliveryId: deliveryOf(ended, index), revision: 1, ...FAILURE })),
  );
  await until(running, (post) => statuses(post)[0] === 'SUCCESS');
  await until(ended, (post) => statuses(post).every((status) => status === 'FAILED'));

  const requested = await content.client.requestPublicationsAgain({ afterId: '' }, { call: { metadata: systemCall('operator', {}) } });
  expect(requested).toMatchObject({ requested: expect.any(Number), nextAfterId: '' });
  const [first, again] = await eventually(() => content.publicationsOf(one.id).length === 2 && content.publicationsOf(one.id));
  // Only the delivery that has no result yet.
  expect(again).toEqual({ ...first, deliveries: first?.deliveries.filter(({ deliveryId }) => deliveryId === deliveryOf(running, 1)) });
  expect(content.publicationsOf(other.id)).toHaveLength(1);
});
