import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { foldWords, notePostKeys } from '../../src/posts/store/post-keys.ts';
import { changingPosts } from './changing-posts.ts';
import { aBusiness, aList, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const { emitResult, scheduled, update, remove } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const create = (more = {}) => content.createPost(call, more);
const found = async (more: Parameters<typeof aList>[0] = {}) =>
  (await content.client.listPosts(aList({ pageSize: 100, ...more }), call)).posts.map(({ id }) => id);

describe('the publish status', () => {
  const publish = async (...outcomes: readonly object[]) => {
    const accounts = await content.connect(
      call,
      outcomes.map(() => 'x'),
    );
    const post = await create({ restrictPublishToIntegrationIds: accounts });
    const sent = await content.publishPost(call, post.id);
    await content.emitDeliveries(
      sent,
      sent.publishResults.map(({ deliveryId }, index) => ({ deliveryId, revision: 2, ...outcomes[index] })),
    );
    return eventually(async () => {
      const now = await content.getPost(call, post.id);
      return now.publishResults.every(({ status }) => /SUCCESS|FAILED/.test(status)) && now;
    });
  };
  const success = { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() };
  const failure = { status: 'DELIVERY_STATUS_FAILED', errorType: 'validation_failed' };
  const doubt = { status: 'DELIVERY_STATUS_FAILED', errorType: 'unknown_outcome' };

  test('is shown, and finds posts that failed in part, failed, or are in doubt', async () => {
    await create();
    const failed = await publish(failure);
    const partly = await publish(success, failure);
    const inDoubt = await publish(success, doubt);
    const fine = await publish(success);
    const by = (...names: string[]) => found({ publishStatuses: names.map((name) => `PUBLISH_STATUS_${name}` as never) });
    expect(await by('FAILED')).toEqual([failed.id]);
    expect(await by('PARTIALLY_FAILED')).toEqual([partly.id]);
    expect(await by('IN_DOUBT')).toEqual([inDoubt.id]);
    expect(await by('SUCCEEDED')).toEqual([fine.id]);
    expect(await by('FAILED', 'PARTIALLY_FAILED', 'IN_DOUBT')).toEqual([inDoubt.id, partly.id, failed.id]);
    expect(failed).toMatchObject({ status: 'POST_STATUS_NEW', publishStatus: 'PUBLISH_STATUS_FAILED' });

    const [event] = content.changesOf(partly.id).filter(({ changes }) => changes.includes('POST_CHANGE_ENDED'));
    const [, failedResult] = partly.publishResults;
    expect(event?.failedResults).toMatchObject([{ integrationId: failedResult?.integrationId, errorType: 'validation_failed' }]);
    expect(event?.author).toBe(call.call.metadata.actor);

    const again = await content.publishPost(call, inDoubt.id, { confirmNotPublished: true });
    expect(await by('IN_DOUBT')).toEqual([]);
    expect(await by('SENDING')).toEqual([again.id]);
    await remove(failed);
    expect(await by('FAILED')).toEqual([]);
  });
});

test('a platform or an account finds posts that were sent there, or are to go there', async () => {
  const [x = '', instagram = ''] = await content.connect(call, ['x', 'instagram']);
  const [disconnected = ''] = await content.connect(call, ['tiktok'], 'INTEGRATION_STATUS_DISCONNECTED');
  const everywhere = (await create()).id;
  const onX = (await create({ restrictPublishTo: ['x'] })).id;
  const byAccount = (await create({ restrictPublishToIntegrationIds: [instagram], restrictPublishTo: ['x'] })).id;
  const post = await create();
  const sent = await emitResult(await content.publishPost(call, post.id, { restrictPublishTo: ['x'] }), {
    status: 'DELIVERY_STATUS_SUCCESS',
    publishedAt: new Date(),
  });
  expect(await found({ platform: 'x' })).toEqual([sent.id, onX, everywhere]);
  expect(await found({ integrationId: x })).toEqual([sent.id, onX, everywhere]);
  expect(await found({ platform: 'instagram' })).toEqual([byAccount, everywhere]);
  expect(await found({ integrationId: instagram })).toEqual([byAccount, everywhere]);
  expect(await found({ platform: 'instagram', integrationId: instagram })).toEqual([byAccount, everywhere]);
  expect(await found({ platform: 'x', integrationId: instagram })).toEqual([]);
  expect(await found({ platform: 'tiktok' })).toEqual([]);
  expect(await found({ integrationId: disconnected })).toEqual([]);
  expect(await found({ integrationId: newId() })).toEqual([]);
  const fresh = (await content.connect(call, ['x']))[0] ?? '';
  expect(await found({ integrationId: fresh })).toEqual([onX, everywhere]);
});

test('words find captions and texts of overrides in any case, and follow edits', async () => {
  const bread = await create({ caption: 'Fresh BREAD today' });
  const title = await create({
    caption: 'News',
    platformOverrides: [{ override: { platform: 'youtube', title: 'Bread, a film', caption: 'Crème' } }],
  });
  const cake = await create({ caption: 'Fresh cake' });
  expect(await found({ query: 'bread' })).toEqual([title.id, bread.id]);
  expect(await found({ query: 'Fresh, bread!' })).toEqual([bread.id]);
  expect(await found({ query: 'creme' })).toEqual([title.id]);
  expect(await found({ query: 'bre' })).toEqual([]);
  await update(cake, { updateMask: ['caption'], caption: 'Fresh bread' });
  await update(bread, { updateMask: ['caption'], caption: 'Sold out' });
  expect(await found({ query: 'fresh bread' })).toEqual([cake.id]);
  await expect(found({ query: '🥐 !' })).rejects.toMatchObject({ code: 'invalid_value', param: 'q' });
  expect((await content.client.listPosts(aList({ query: 'bread' }), aBusiness())).posts).toEqual([]);
});

test('posts at risk are listed in pages, and so are posts without risks', async () => {
  await content.connect(call, ['x']);
  const draft = (await create()).id;
  const fine = (await create(scheduled())).id;
  const risky: string[] = [];
  for (let index = 0; index < 3; index++) risky.unshift((await create(scheduled({ caption: 'x'.repeat(281) }))).id);
  const page = await content.client.listPosts(aList({ atRisk: true, pageSize: 2 }), call);
  const rest = await content.client.listPosts(aList({ atRisk: true, pageSize: 2, pageToken: page.nextPageToken }), call);
  expect([...page.posts, ...rest.posts].map(({ id }) => id)).toEqual(risky);
  expect(rest.nextPageToken).toBe('');
  expect(page.posts[0]?.atRisk).toMatchObject([{ code: 'caption_max_length' }]);
  expect(await found({ atRisk: false })).toEqual([fine, draft]);
  expect(await found({ atRisk: true, statuses: ['POST_STATUS_NEW'] })).toEqual([]);
});

test('a list sorted by a time contains posts with that time; a page token is valid only for its order', async () => {
  const at = (hour: number) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: new Date(Date.UTC(2031, 0, 1, hour)) });
  const [late, soon, same] = [(await create(at(3))).id, (await create(at(1))).id, (await create(at(1))).id];
  const draft = (await create()).id;
  expect(await found({ sort: 'POST_SORT_SCHEDULED_FIRST' })).toEqual([soon, same, late]);
  expect(await found({ sort: 'POST_SORT_SCHEDULED_LAST' })).toEqual([late, same, soon]);
  expect(await found({ sort: 'POST_SORT_CREATED_FIRST' })).toEqual([late, soon, same, draft]);
  expect(await found({ sort: 'POST_SORT_PUBLISHED_LAST' })).toEqual([]);
  const page = (more: object) => content.client.listPosts(aList({ pageSize: 1, ...more }), call);
  const sort = 'POST_SORT_SCHEDULED_FIRST' as const;
  const { nextPageToken: pageToken } = await page({ sort });
  expect((await page({ sort, pageToken })).posts.map(({ id }) => id)).toEqual([same]);
  const rejection = { code: 'invalid_request', param: 'cursor' };
  for (const more of [
    {},
    { sort, query: 'hello' },
    { sort, platform: 'x' },
    { sort, atRisk: false },
    { sort: 'POST_SORT_SCHEDULED_LAST' },
  ]) {
    await expect(page({ ...more, pageToken })).rejects.toMatchObject(rejection);
  }
});

test('words with ß that a previous version stored are found in every spelling', async () => {
  const { id } = await create({ caption: 'Große Straße' });
  await content.posts.updateOne({ _id: id }, { $set: { words: ['große', 'straße'] } });
  await foldWords(content.db);
  for (const query of ['straße', 'STRASSE', 'grosse']) expect(await found({ query })).toEqual([id]);
});

test('posts of the previous version are found after the migration, however often it runs', async () => {
  const [x = ''] = await content.connect(call, ['x']);
  const post = await content.publishPost(call, (await create({ caption: 'Of old' })).id);
  const draft = (await create({ caption: 'Of old, too' })).id;
  const keys = { words: '', target_keys: '', publish_status: '' } as const;
  await content.posts.updateMany({ business_id: call.call.metadata.businessId }, { $unset: keys });
  expect(await found({ query: 'old' })).toEqual([]);
  for (let time = 0; time < 2; time++) {
    await notePostKeys(content.db);
    expect(await found({ query: 'old' })).toEqual([draft, post.id]);
    expect(await found({ integrationId: x })).toEqual([draft, post.id]);
    expect(await found({ publishStatuses: ['PUBLISH_STATUS_SENDING'] })).toEqual([post.id]);
  }
});
