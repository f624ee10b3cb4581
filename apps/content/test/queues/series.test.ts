import { SchedulePostRequest, UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { isUuid, newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { migrations } from '../../src/migrations.ts';
import type { PostDocument } from '../../src/posts/post.ts';
import { changingPosts } from '../posts/changing-posts.ts';
import { aBusiness, aList, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent({ instances: 2 });
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const DAILY = '0 9 * * *';
/** The next 9:00 UTC, or one on a later day. */
function nineOClock(days = 0): Date {
  const at = new Date();
  at.setUTCHours(9, 0, 0, 0);
  const first = at.getTime() > Date.now() ? at.getTime() : at.getTime() + 86_400_000;
  return new Date(first + days * 86_400_000);
}
const inSeries = (post: Pick<Post, 'id'>) => content.posts.find({ series_id: post.id }).sort({ scheduled_publish_time: 1 }).toArray();
const untilClaimed = (id: string) =>
  eventually(async () => {
    const post = await content.posts.findOne({ _id: id });
    return post !== null && post.next_due_at === undefined && post;
  });
const connected = () => content.connect(call, ['x']);
/** Claims a post as if it were due, without waiting until its time. */
const makeDue = (id: string) => {
  const past = new Date(Date.now() - 1_000);
  return content.posts.updateOne({ _id: id }, { $set: { scheduled_publish_time: past, next_due_at: past } });
};

test('publishing a post creates the next one, with its content and without its results', async () => {
  await connected();
  const first = await content.createPost(call, {
    caption: 'Again',
    status: 'POST_STATUS_DRAFT',
    link: 'https://example.com/',
    metadata: [{ key: 'a', value: 'b' }],
    platformOverrides: [{ override: { platform: 'x', caption: 'For X' } }],
    mediaUrls: ['https://example.com/1.jpg'],
    repeatingCron: DAILY,
  });
  expect(await inSeries(first)).toEqual([]);
  const sent = await content.publishPost(call, first.id);
  const [next] = await inSeries(first);
  const read = await content.getPost(call, next?._id ?? '');
  const { id, createdAt, updatedAt, publishResults, publishStatus, revision, status, scheduledPublishTime, ...rest } = read;
  expect(sent).toMatchObject(rest);
  expect({ publishResults, publishStatus, revision, status, scheduledPublishTime }).toEqual({
    publishResults: [],
    publishStatus: 'PUBLISH_STATUS_UNSPECIFIED',
    revision: 1,
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: nineOClock(),
  });
  expect(createdAt?.getTime()).toBeGreaterThan(first.createdAt?.getTime() ?? Infinity);
  expect([isUuid(id), id[14]]).toEqual([true, '7']);
  expect(next).toMatchObject({ verdict: 'POST_STATUS_DRAFT', next_due_at: nineOClock(), publication_ids: [] });
  const [created] = await eventually(() => content.changesOf(id).length > 0 && content.changesOf(id));
  expect(created?.changes).toEqual(['POST_CHANGE_CREATED', 'POST_CHANGE_SCHEDULED']);
});

test('each due post of a series creates the next one, once', async () => {
  await connected();
  const first = aScheduledPost(call, new Date(Date.now() - 1000), { repeating_cron: DAILY });
  await content.posts.insertOne(first);
  await untilClaimed(first._id);
  const [second] = await inSeries({ id: first._id });
  expect(second?.scheduled_publish_time).toEqual(nineOClock());

  await makeDue(second?._id ?? '');
  await untilClaimed(second?._id ?? '');
  const [third, ...more] = (await inSeries({ id: first._id })).filter(({ _id }) => _id !== second?._id);
  expect({ at: third?.scheduled_publish_time, more }).toEqual({ at: nineOClock(1), more: [] });
});

test('a series continues after posts that are published before their time', async () => {
  await connected();
  const first = await content.createPost(call, {
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: nineOClock(),
    repeatingCron: DAILY,
  });
  await content.publishPost(call, first.id);
  for (const day of [1, 2, 3]) {
    const newest = (await inSeries(first)).at(-1);
    expect(newest?.scheduled_publish_time).toEqual(nineOClock(day));
    const id = newest?._id ?? '';
    // A post that was unscheduled still belongs to its day in the series.
    if (day === 2) await content.client.unschedulePost({ operationId: newId(), postId: id, expectedRevisions: [] }, call);
    await content.publishPost(call, id);
  }
  expect(await inSeries(first)).toHaveLength(4);
});

test('if a moved post gets another cron, the next post is after the new time', async () => {
  await connected();
  const first = await content.createPost(call, { repeatingCron: '0 9 1 1 *' });
  await content.publishPost(call, first.id);
  const [second] = await inSeries(first);
  const id = second?._id ?? '';
  const change = { operationId: newId(), postId: id, scheduledPublishTime: nineOClock(1), repeatingCron: DAILY };
  await content.client.schedulePost(SchedulePostRequest.fromPartial({ ...change, updateMask: ['repeating_cron'] }), call);
  await content.publishPost(call, id);
  expect(await inSeries({ id })).toMatchObject([{ scheduled_publish_time: nineOClock(2) }]);
});

const IN_TIME = { lateness: undefined, strategy: 'PUBLISH_STRATEGY_INDEPENDENT' as const, linkTracking: undefined };

test('the next post is after the time of the claimed one, even if the clock is behind', async () => {
  await connected();
  const ahead = nineOClock();
  const post = await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: ahead, repeatingCron: DAILY });
  const { writeClaims } = await import('../../src/publishing/write-claims.ts');
  const before = (await content.posts.findOne({ _id: post.id })) as PostDocument;
  const after: PostDocument = { ...before, revision: before.revision + 1, is_followed: true };
  const late = { dueAt: ahead, at: new Date(ahead.getTime() - 5) };
  const claim = { before, after, targets: [], publicationId: 'p', ...late, cause: { flowId: 'f', actor: 'a' }, ...IN_TIME };
  await content.context.transact((session) => writeClaims(content.context, session, [claim]));
  expect((await inSeries(post)).map((one) => one.scheduled_publish_time)).toEqual([nineOClock(1)]);
});

test('a post that cannot be published creates the next one too', async () => {
  const first = aScheduledPost(call, new Date(Date.now() - 1000), { repeating_cron: DAILY });
  await content.posts.insertOne(first);
  expect(await untilClaimed(first._id)).toMatchObject({ status: 'POST_STATUS_NEW' });
  expect(await inSeries({ id: first._id })).toMatchObject([{ status: 'POST_STATUS_SCHEDULED' }]);
});

test('a rejected publish creates nothing', async () => {
  const first = await content.createPost(call, { repeatingCron: DAILY });
  await expect(content.publishPost(call, first.id)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await inSeries(first)).toEqual([]);
});

test('posts of a series that are claimed concurrently and repeatedly have one next post', async () => {
  await connected();
  const series_id = newId();
  const posts = Array.from({ length: 12 }, () => aScheduledPost(call, new Date(Date.now() - 1000), { repeating_cron: DAILY, series_id }));
  await content.posts.insertMany(posts);
  for (const { _id } of posts) await untilClaimed(_id);
  expect(await content.posts.countDocuments({ series_id })).toBe(posts.length + 1);
});

test('a next post that was deleted or moved is not created again', async () => {
  await connected();
  const first = await content.createPost(call, { repeatingCron: DAILY });
  const sent = await content.publishPost(call, first.id);
  const [next] = await inSeries(first);
  await content.client.deletePost({ operationId: newId(), postId: next?._id ?? '', expectedRevisions: [] }, call);
  await content.emitDeliveries(sent, [
    { deliveryId: sent.publishResults[0]?.deliveryId ?? '', revision: 2, status: 'DELIVERY_STATUS_FAILED' },
  ]);
  await eventually(async () => (await content.getPost(call, first.id)).publishResults[0]?.status === 'PUBLISH_RESULT_STATUS_FAILED');
  await content.publishPost(call, first.id);
  expect(await inSeries(first)).toMatchObject([{ _id: next?._id, deleted_at: expect.any(Date) as Date }]);
});

describe('an edit of a post of a series', () => {
  const { update } = changingPosts({
    get content() {
      return content;
    },
    get call() {
      return call;
    },
  });
  const captioned = (post: Post, caption: string, series?: 'SERIES_EDIT_THIS' | 'SERIES_EDIT_FOLLOWING') =>
    update(post, { updateMask: ['caption'], caption, ...(series && { series }) });
  /** The first post of a series with this caption, published, and the second, which waits. */
  const begun = async (more = {}) => {
    await connected();
    const first = await content.createPost(call, { caption: 'Rye', repeatingCron: DAILY, ...more });
    await content.publishPost(call, first.id);
    const [second] = await inSeries(first);
    return { first, second: await content.getPost(call, second?._id ?? '') };
  };
  /** The post that follows. */
  const after = async (post: Post) => {
    await content.publishPost(call, post.id);
    const rows = await content.posts
      .find({ series_id: post.seriesId as string })
      .sort({ series_time: 1 })
      .toArray();
    return content.getPost(call, rows.at(-1)?._id ?? '');
  };

  test('changes the following ones too, by default and with `following`', async () => {
    const { second } = await begun();
    const third = await after(await captioned(second, 'Wheat'));
    expect(third.caption).toBe('Wheat');
    expect((await after(await captioned(third, 'Oats', 'SERIES_EDIT_FOLLOWING'))).caption).toBe('Oats');
  });

  test('changes only this one with `this`, however often, and keeps later edits of the series apart', async () => {
    const overrides = [{ override: { platform: 'x', caption: 'On X' } }];
    const { second } = await begun({ link: 'https://example.com/', platformOverrides: overrides });
    await captioned(second, 'Only today', 'SERIES_EDIT_THIS');
    await update(second, { updateMask: ['link', 'platform_overrides'], series: 'SERIES_EDIT_THIS' });
    const edited = await update(second, {
      updateMask: ['metadata'],
      metadata: [{ key: 'a', value: 'b' }],
      series: 'SERIES_EDIT_FOLLOWING',
    });
    expect(edited).toMatchObject({ caption: 'Only today', link: undefined, platformOverrides: [], metadata: [{ key: 'a', value: 'b' }] });
    const third = await after(edited);
    expect(third).toMatchObject({
      caption: 'Rye',
      link: 'https://example.com/',
      platformOverrides: [{ platform: 'x', caption: 'On X' }],
      metadata: [{ key: 'a', value: 'b' }],
    });
    expect((await after(third)).caption).toBe('Rye');
  });

  test('keeps the media that only the following ones have', async () => {
    const aMedia = () => content.library.add(call.call.metadata.businessId, { type: 'MEDIA_TYPE_IMAGE' });
    const [own, other] = [aMedia(), aMedia()];
    const { second } = await begun({ mediaIds: [own] });
    await update(second, { updateMask: ['media_ids'], mediaIds: [other], series: 'SERIES_EDIT_THIS' });
    await eventually(() => content.changesOf(second.id).at(-1)?.neededMediaIds.includes(other));
    expect(content.changesOf(second.id).at(-1)?.neededMediaIds.toSorted()).toEqual([own, other].toSorted());
  });

  test('is rejected if there is no series, if its next post exists, and if `this` comes with a rhythm', async () => {
    const { first, second } = await begun();
    const single = await content.createPost(call);
    for (const series of ['SERIES_EDIT_THIS', 'SERIES_EDIT_FOLLOWING'] as const)
      await expect(captioned(single, 'x', series)).rejects.toMatchObject({ code: 'invalid_request', param: 'series' });
    await content.posts.updateOne({ _id: first.id }, { $set: { status: 'POST_STATUS_NEW', publish_results: [] } });
    await expect(captioned(first, 'x', 'SERIES_EDIT_FOLLOWING')).rejects.toMatchObject({ code: 'conflict', param: 'series' });
    await expect(captioned(first, 'x', 'SERIES_EDIT_THIS')).resolves.toMatchObject({ caption: 'x' });
    const time = {
      updateMask: ['scheduled_publish_time'],
      scheduledPublishTime: new Date('2100-01-01'),
      series: 'SERIES_EDIT_FOLLOWING' as const,
    };
    await expect(update(second, time)).rejects.toMatchObject({ code: 'invalid_request', param: 'scheduled_publish_time' });
    const rhythm = { updateMask: ['repeating_cron'], repeatingCron: '0 10 * * *', series: 'SERIES_EDIT_THIS' as const };
    await expect(update(second, rhythm)).rejects.toMatchObject({ code: 'invalid_request', param: 'repeating_cron' });
  });
});

test('a list has the posts of a series, also with other filters, and a series that has ended', async () => {
  await connected();
  const first = await content.createPost(call, { repeatingCron: DAILY, caption: 'Rye' });
  expect(first.seriesId).toBe(first.id);
  await content.createPost(call, { caption: 'Rye', repeatingCron: DAILY });
  expect((await content.createPost(call)).seriesId).toBeUndefined();
  await content.publishPost(call, first.id);
  const [second] = await inSeries(first);
  const ids = async (more: Parameters<typeof aList>[0] = {}) =>
    (await content.client.listPosts(aList({ seriesId: first.id, ...more }), call)).posts.map(({ id }) => id);
  const both = [second?._id, first.id];
  expect(await ids()).toEqual(both);
  expect(await ids({ platform: 'x' })).toEqual(both);
  expect(await ids({ query: 'rye', statuses: ['POST_STATUS_SCHEDULED'] })).toEqual([second?._id]);
  const one = await content.client.listPosts(aList({ seriesId: first.id, pageSize: 1 }), call);
  expect(
    (await content.client.listPosts(aList({ seriesId: first.id, pageSize: 1, pageToken: one.nextPageToken }), call)).posts[0]?.id,
  ).toBe(first.id);
  const end = UpdatePostRequest.fromPartial({ operationId: newId(), postId: second?._id ?? '', updateMask: ['repeating_cron'] });
  const { post: last } = await content.client.updatePost(end, call);
  expect(last).toMatchObject({ seriesId: first.id, repeatingCron: undefined });
  await content.publishPost(call, last!.id);
  expect(await ids()).toEqual(both);
  // Rows of a version without these keys.
  await content.posts.updateMany({ _id: { $in: both as string[] } }, { $pull: { target_keys: `series:${first.id}` } });
  expect(await ids()).toEqual([]);
  await migrations.find(({ id }) => id === '0012-series-keys')?.up(content.db);
  expect(await ids()).toEqual(both);
});

describe('a post that is published again', () => {
  const failed = async (sent: Post) => {
    await content.emitDeliveries(sent, [
      { deliveryId: sent.publishResults[0]?.deliveryId ?? '', revision: 2, status: 'DELIVERY_STATUS_FAILED' },
    ]);
    await eventually(async () => (await content.getPost(call, sent.id)).publishResults[0]?.status === 'PUBLISH_RESULT_STATUS_FAILED');
  };
  const inBusiness = () => content.posts.countDocuments({ business_id: call.call.metadata.businessId });
  /** Another cron makes the time of the next post differ. */
  const repeat = (postId: string, repeatingCron: string) =>
    content.client.updatePost(
      UpdatePostRequest.fromPartial({ operationId: newId(), postId, repeatingCron, updateMask: ['repeating_cron'] }),
      call,
    );

  test('neither continues an ended series nor starts a second one', async () => {
    await connected();
    const first = await content.createPost(call, { repeatingCron: DAILY });
    await failed(await content.publishPost(call, first.id));
    const [second] = await inSeries(first);
    await content.client.deletePost({ operationId: newId(), postId: second?._id ?? '', expectedRevisions: [] }, call);
    await repeat(first.id, '30 10 * * *');
    await content.publishPost(call, first.id);
    expect(await inBusiness()).toBe(2);
  });

  test('does not either, if it was due and could not be published', async () => {
    const first = aScheduledPost(call, new Date(Date.now() - 1000), { repeating_cron: DAILY });
    await content.posts.insertOne(first);
    await untilClaimed(first._id);
    await connected();
    await repeat(first._id, '30 10 * * *');
    await content.publishPost(call, first._id);
    expect(await inBusiness()).toBe(2);
  });

  test('does not either, if it was claimed by a version that did not store this', async () => {
    await connected();
    const { next_due_at: _, ...claimed } = aScheduledPost(call, new Date(0), { repeating_cron: DAILY, publication_ids: [newId()] });
    await content.posts.insertOne(claimed);
    await migrations.find(({ id }) => id === '0005-followed-posts')?.up(content.db);
    await content.publishPost(call, claimed._id);
    expect(await inBusiness()).toBe(1);
  });

  test('starts a series if it repeats for the first time', async () => {
    await connected();
    const first = await content.createPost(call);
    await failed(await content.publishPost(call, first.id));
    await repeat(first.id, DAILY);
    await content.publishPost(call, first.id);
    expect(await inSeries(first)).toMatchObject([{ status: 'POST_STATUS_SCHEDULED' }]);
    const [second] = await inSeries(first);
    await content.publishPost(call, second?._id ?? '');
    expect(await inSeries(first)).toHaveLength(2);
  });
});

const ZONE = 'Europe/Berlin';
const inZone = { repeatingCron: '0 9 * * *', repeatingTimezone: ZONE };
/** Local time in Berlin. */
const hourInBerlin = (at: Date | undefined) =>
  new Intl.DateTimeFormat('en', { timeZone: ZONE, hour: 'numeric', hourCycle: 'h23' }).format(at);

describe('a time zone', () => {
  const { update, schedule } = changingPosts({
    get content() {
      return content;
    },
    get call() {
      return call;
    },
  });

  test('is that of the cron, and stays in the series', async () => {
    await connected();
    const first = await content.createPost(call, inZone);
    expect(first).toMatchObject(inZone);
    await content.publishPost(call, first.id);
    const [next] = await inSeries(first);
    expect(hourInBerlin(next?.scheduled_publish_time)).toBe('09');
    expect(await content.getPost(call, next?._id ?? '')).toMatchObject(inZone);
  });

  test('does not change unless it is in the request, and is removed with the cron', async () => {
    const post = await content.createPost(call, inZone);
    const names = { updateMask: ['repeating_cron'], repeatingCron: '0 10 * * *' };
    expect(await update(post, names)).toMatchObject({ repeatingCron: '0 10 * * *', repeatingTimezone: ZONE });
    const zone = { updateMask: ['repeating_timezone'], repeatingTimezone: 'Asia/Tokyo' };
    expect(await update(post, zone)).toMatchObject({ repeatingCron: '0 10 * * *', repeatingTimezone: 'Asia/Tokyo' });
    expect(await update(post, { updateMask: ['repeating_timezone'] })).toMatchObject({ repeatingTimezone: undefined });
    expect(await schedule(post, { updateMask: ['repeating_cron', 'repeating_timezone'], ...inZone })).toMatchObject(inZone);
    expect(await update(post, { updateMask: ['repeating_cron'] })).toMatchObject({
      repeatingCron: undefined,
      repeatingTimezone: undefined,
    });
    const rejection = { code: 'invalid_request', param: 'repeating_timezone' };
    await expect(update(post, zone)).rejects.toMatchObject(rejection);
    await expect(schedule(post, zone)).rejects.toMatchObject(rejection);
    await expect(update(post, { ...zone, updateMask: ['repeating_cron', 'repeating_timezone'] })).rejects.toMatchObject(rejection);
    await expect(content.createPost(call, { repeatingTimezone: ZONE })).rejects.toMatchObject(rejection);
  });

  test.each(['Mars/Olympus', '+01:00', ''])('%j is rejected', async (repeatingTimezone) => {
    const rejection = { code: 'invalid_value', param: 'repeating_timezone' };
    await expect(content.createPost(call, { ...inZone, repeatingTimezone })).rejects.toMatchObject(rejection);
    const post = await content.createPost(call, inZone);
    await expect(update(post, { updateMask: ['repeating_timezone'], repeatingTimezone })).rejects.toMatchObject(rejection);
    await expect(schedule(post, { updateMask: ['repeating_timezone'], repeatingTimezone })).rejects.toMatchObject(rejection);
  });
});

test.each([
  ['on create', 'never comes', { repeatingCron: '0 9 30 2 *' }, { code: 'invalid_value', param: 'repeating_cron' }],
  ['on create', 'is blank', { repeatingCron: '' }, { code: 'invalid_value', param: 'repeating_cron' }],
  [
    'on create',
    'is of a record from elsewhere',
    { repeatingCron: DAILY, status: 'POST_STATUS_PUBLISHED' },
    { code: 'invalid_request', param: 'repeating_cron' },
  ],
] as const)('%s, a series that %s is rejected', async (_when, _what, more, rejection) => {
  await expect(content.createPost(call, more)).rejects.toMatchObject(rejection);
});
