import { setTimeout as pause } from 'node:timers/promises';
import { UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { claimDuePosts } from '../../src/publishing/claim-due-posts.ts';
import type { DuePost } from '../../src/posts/store/posts.ts';
import { changingPosts } from '../posts/changing-posts.ts';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent({ instances: 2 });
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  await content.connect(call, ['x']);
});

const EACH_MINUTE = '* * * * *';
const FAR = '0 9 1 1 *';
const END = { updateMask: ['repeating_cron'] };

const { update, remove, emitResult } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const inSeries = (id: string) =>
  content.posts
    .find({ $or: [{ _id: id }, { series_id: id }] })
    .sort({ created_at: 1, _id: 1 })
    .toArray();
const newestOf = async (id: string) => content.getPost(call, (await inSeries(id)).at(-1)?._id ?? '');
const resultOf = (post: Post) => emitResult(post, { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() });
/** A series with posts that were published, oldest first, and the newest one, which waits. */
async function aSeries(count = 3): Promise<{ posts: Post[]; newest: Post }> {
  let newest = await content.createPost(call, { caption: 'Rye', repeatingCron: FAR });
  const { id } = newest;
  const posts: Post[] = [];
  while (posts.length < count) {
    posts.push(await resultOf(await content.publishPost(call, newest.id)));
    newest = await newestOf(id);
  }
  return { posts, newest };
}
/** Publishes the newest post, and finds no post after it. */
async function expectEnded(first: Post, newest: Post): Promise<void> {
  const before = await inSeries(first.id);
  expect(before.at(-1)?._id).toBe(newest.id);
  await content.publishPost(call, newest.id);
  expect((await inSeries(first.id)).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
}

test.each([
  ['the first post', 0, undefined],
  ['the first post, with `following`', 0, 'SERIES_EDIT_FOLLOWING'],
  ['a post in the middle', 1, undefined],
  ['the last one that was published, with `following`', 2, 'SERIES_EDIT_FOLLOWING'],
] as const)('%s ends the series; the newest post stays scheduled, and all others stay as they are', async (_which, index, series) => {
  const { posts, newest } = await aSeries();
  const [first] = posts as [Post];
  const ended = await update(posts[index] ?? first, { ...END, ...(series && { series }) });
  expect(ended).toMatchObject({ repeatingCron: undefined, seriesId: first.id, status: 'POST_STATUS_PUBLISHED' });
  const last = await content.getPost(call, newest.id);
  expect(last).toEqual({ ...newest, repeatingCron: undefined, revision: newest.revision + 1, updatedAt: last.updatedAt });
  for (const other of posts.filter(({ id }) => id !== ended.id)) expect(await content.getPost(call, other.id)).toEqual(other);
  const changes = await eventually(() => content.changesOf(newest.id).length > 1 && content.changesOf(newest.id));
  expect(changes.at(-1)).toMatchObject({ changes: ['POST_CHANGE_UPDATED'], actor: call.call.metadata.actor });
  const { entries } = await content.client.listEntries({ postId: newest.id, after: undefined, pageSize: 100 }, call);
  expect(entries.at(-1)).toMatchObject({ kind: 'edited', actor: call.call.metadata.actor });
  await expectEnded(first, newest);
});

test('a post that is being published ends its series, but nothing else of it changes', async () => {
  const first = await content.createPost(call, { caption: 'Rye', repeatingCron: FAR });
  const sending = await content.publishPost(call, first.id);
  const newest = await newestOf(first.id);
  await expect(update(sending, { updateMask: ['repeating_cron', 'caption'], caption: 'Wheat' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await newestOf(first.id)).toEqual(newest);
  const ended = await update(sending, END);
  expect(ended).toMatchObject({ caption: 'Rye', repeatingCron: undefined, publishStatus: 'PUBLISH_STATUS_SENDING' });
  expect(await resultOf(ended)).toMatchObject({ status: 'POST_STATUS_PUBLISHED' });
  await expectEnded(first, newest);
});

test('an edit of an older post with other fields changes those of this post, and ends the series', async () => {
  const { posts, newest } = await aSeries(2);
  const [first, second] = posts as [Post, Post];
  await expect(
    update(second, { updateMask: ['repeating_cron', 'caption'], caption: 'Wheat', series: 'SERIES_EDIT_FOLLOWING' }),
  ).rejects.toMatchObject({ code: 'conflict', param: 'series' });
  expect(await content.getPost(call, newest.id)).toEqual(newest);
  expect(await update(second, { updateMask: ['repeating_cron', 'caption'], caption: 'Wheat' })).toMatchObject({ caption: 'Wheat' });
  expect(await content.getPost(call, newest.id)).toMatchObject({ caption: 'Rye', repeatingCron: undefined });
  await expectEnded(first, newest);
});

test('what only the next post would have had is forgotten', async () => {
  const { posts, newest } = await aSeries(1);
  await update(newest, { updateMask: ['caption'], caption: 'Only today', series: 'SERIES_EDIT_THIS' });
  expect(await content.posts.findOne({ _id: newest.id })).toHaveProperty('next_content');
  await update(posts[0] as Post, END);
  expect(await content.posts.findOne({ _id: newest.id })).not.toHaveProperty('next_content');
  expect(await content.getPost(call, newest.id)).toMatchObject({ caption: 'Only today', repeatingCron: undefined });
});

test('an end that is repeated, of a series that has ended, or of one whose newest post was deleted, changes no other post', async () => {
  const { posts, newest } = await aSeries(2);
  const [first, second] = posts as [Post, Post];
  const operationId = newId();
  await update(first, { ...END, operationId });
  const last = await content.getPost(call, newest.id);
  await update(first, { ...END, operationId });
  await update(second, END);
  await update(last, END);
  await update(second, { ...END, series: 'SERIES_EDIT_FOLLOWING' });
  expect(await content.getPost(call, newest.id)).toMatchObject({ status: 'POST_STATUS_SCHEDULED', revision: last.revision + 1 });

  const other = await aSeries(1);
  const [only] = other.posts as [Post];
  await remove(other.newest);
  await update(only, END);
  await content.publishPost(call, only.id).catch(() => undefined);
  expect(await inSeries(only.id)).toHaveLength(2);
});

test('a series that was started again with another cron is a different one', async () => {
  const { posts, newest } = await aSeries(1);
  const [first] = posts as [Post];
  const again = await update(newest, { updateMask: ['repeating_cron'], repeatingCron: '0 10 1 1 *' });
  expect(again.seriesId).toBe(newest.id);
  await update(first, END);
  expect(await content.getPost(call, newest.id)).toMatchObject({ repeatingCron: '0 10 1 1 *', revision: again.revision });
});

test('is rejected as before for a single post with `series`, and with `this`', async () => {
  const single = await content.createPost(call);
  await expect(update(single, { ...END, series: 'SERIES_EDIT_FOLLOWING' })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'series',
  });
  expect(await update(single, END)).toMatchObject({ repeatingCron: undefined, seriesId: undefined });
  const { posts, newest } = await aSeries(1);
  const rejection = { code: 'invalid_request', param: 'repeating_cron' };
  await expect(update(posts[0] as Post, { ...END, series: 'SERIES_EDIT_THIS' })).rejects.toMatchObject(rejection);
  expect(await content.getPost(call, newest.id)).toEqual(newest);
});

describe('at the moment when the newest post is due', () => {
  const COUNT = 8;
  const HURRY_MS = 50;
  /** Series of two posts; the newest one becomes due in a moment, each a little later than the one before. */
  async function aboutToContinue() {
    const begin = Date.now() + 300;
    const series = Array.from({ length: COUNT }, (_, index) => {
      const first = aScheduledPost(call, new Date(), { repeating_cron: EACH_MINUTE, is_followed: true, status: 'POST_STATUS_NEW' });
      const { next_due_at: _due, scheduled_publish_time: _time, ...older } = first;
      const dueAt = new Date(begin + 10 * index);
      const more = { repeating_cron: EACH_MINUTE, series_id: first._id, series_time: dueAt, created_at: new Date(Date.now() + 1) };
      const keys = { target_keys: [`series:${first._id}`] };
      return { older: { ...older, ...keys }, newest: { ...aScheduledPost(call, dueAt, more), ...keys }, dueAt };
    });
    await content.posts.insertMany(series.flatMap(({ older, newest }) => [older, newest]));
    return series.map(({ older, newest, dueAt }) => ({ id: older._id, newestId: newest._id, dueAt }));
  }
  const idsOf = async (id: string) => (await inSeries(id)).map(({ _id }) => _id);
  const end = (index: number, postId: string) =>
    (content.clients[index % 2] ?? content.client).updatePost(
      UpdatePostRequest.fromPartial({ operationId: newId(), postId, ...END }),
      call,
    );

  test.each([
    ['before', -40],
    ['just before', 20],
    ['just after', 100],
    ['after', 500],
  ])('an end %s it wins: after its response no further post is created', async (_when, ms) => {
    const series = await aboutToContinue();
    const atResponse = await Promise.all(
      series.map(async ({ id, dueAt }, index) => {
        await eventually(() => Date.now() >= dueAt.getTime() + ms);
        await end(index, id);
        return idsOf(id);
      }),
    );
    // Whatever is left is published too, and creates no post either.
    const left = { series_id: { $in: series.map(({ id }) => id) }, next_due_at: { $exists: true } };
    await content.posts.updateMany(left, [{ $set: { scheduled_publish_time: '$$NOW', next_due_at: '$$NOW' } }]);
    await eventually(async () => (await content.posts.countDocuments(left)) === 0);
    expect(await Promise.all(series.map(({ id }) => idsOf(id)))).toEqual(atResponse);
  });

  test('many ends of one series at once, by all of its posts, while it is continued again and again', async () => {
    const first = await content.createPost(call, { repeatingCron: EACH_MINUTE });
    await content.publishPost(call, first.id);
    // The posts become due as soon as they are created.
    let isRunning = true;
    const hurry = (async () => {
      const waiting = { series_id: first.id, $expr: { $gt: ['$next_due_at', '$$NOW'] } };
      while (isRunning) {
        await content.posts.updateMany(waiting, [{ $set: { scheduled_publish_time: '$$NOW', next_due_at: '$$NOW' } }]);
        // Without a pause, these writes would conflict with every transaction.
        await pause(HURRY_MS);
      }
    })();
    try {
      await eventually(async () => (await inSeries(first.id)).length > 3);
      const ids = await idsOf(first.id);
      await Promise.all(ids.map((id, index) => end(index, id)));
      const atResponse = await idsOf(first.id);
      const waiting = { series_id: first.id, next_due_at: { $exists: true } };
      await eventually(async () => (await content.posts.countDocuments(waiting)) === 0);
      expect(await idsOf(first.id)).toEqual(atResponse);
      expect(atResponse.length).toBeGreaterThan(3);
    } finally {
      isRunning = false;
      await hurry;
    }
  });

  test('a claim that has read the post before the end was committed is decided again', async () => {
    const { posts, newest } = await aSeries(1);
    const [first] = posts as [Post];
    const inAnHour = new Date(Date.now() + 3_600_000);
    // Due in an hour, so that only this test claims it.
    await content.posts.updateOne({ _id: newest.id }, { $set: { scheduled_publish_time: inAnHour, next_due_at: inAnHour } });
    const row = (await content.posts.findOne({ _id: newest.id })) as unknown as DuePost;
    let attempts = 0;
    const { transact } = content.context;
    const context: typeof content.context = {
      ...content.context,
      transact: (work) =>
        transact(async (session) => {
          // The snapshot of the transaction begins with its first read.
          await content.posts.findOne({ _id: newest.id }, { session });
          if (++attempts === 1) await update(first, END);
          return work(session);
        }),
    };
    await claimDuePosts(context, [row]);
    expect(attempts).toBeGreaterThan(1);
    expect(await content.posts.findOne({ _id: newest.id })).toMatchObject({ publish_results: [expect.anything()] });
    expect(await idsOf(first.id)).toEqual([first.id, newest.id]);
  });
});
