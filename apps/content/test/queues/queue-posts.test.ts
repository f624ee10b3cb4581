import { SchedulePostRequest, UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { changingPosts } from '../posts/changing-posts.ts';
import { nineOClock, queueing } from './queueing.ts';
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
const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { aQueue, getQueue, updateQueue, deleteQueue, put, postsOf } = queueing(on);
const { update, schedule, unschedule, remove, review, soon } = changingPosts(on);
const drafts = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => content.createPost(call, { caption: String(index) })));
const captions = async (queue: Parameters<typeof postsOf>[0], pageSize?: number) =>
  (await postsOf(queue, pageSize)).map(({ caption }) => caption).join('');
const filled = async (count: number) => {
  const queue = await aQueue();
  const posts = await drafts(count);
  for (const post of posts) await put(post);
  return { queue, posts };
};
const read = (post: Pick<Post, 'id'>) => content.getPost(call, post.id);
const operation = () => ({ operationId: newId(), expectedRevisions: [] });

test('a post in a queue is scheduled without a time, with a position and an estimate', async () => {
  const queue = await aQueue();
  const post = await content.createPost(call, { status: 'POST_STATUS_DRAFT' });
  const queued = await put(post);
  expect(queued).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: undefined,
    revision: 2,
    queue: { queueId: queue.id, position: 1, estimatedPublishTime: nineOClock() },
  });
  expect(await read(post)).toEqual(queued);
  const second = await content.createPost(call, { queueId: queue.id });
  expect(second).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    revision: 1,
    queue: { position: 2, estimatedPublishTime: nineOClock(2) },
  });
  expect(await getQueue(queue)).toMatchObject({ postCount: 2, nextPublishTime: nineOClock(), revision: 1 });
  expect((await content.client.listPosts(aList(), call)).posts).toEqual([second, queued]);
  expect(await postsOf(queue)).toEqual([queued, second]);
});

test('positions have no gaps: posts are put first, last and between, and the same call moves them', async () => {
  const { queue, posts } = await filled(5);
  const [a, b, , , e] = posts as [Post, Post, Post, Post, Post];
  expect(await captions(queue, 2)).toBe('01234');
  expect(await put(e, { position: 1 })).toMatchObject({ queue: { position: 1 } });
  expect(await captions(queue)).toBe('40123');
  expect(await put(a, { position: 4 })).toMatchObject({ queue: { position: 4 } });
  expect(await captions(queue)).toBe('41203');
  expect(await put(b)).toMatchObject({ queue: { position: 5 } });
  expect(await captions(queue)).toBe('42031');
  expect(await put(a, { position: 99 })).toMatchObject({ queue: { position: 5 } });
  expect(await captions(queue)).toBe('42310');
  expect((await postsOf(queue)).map((post) => post.queue?.position)).toEqual([1, 2, 3, 4, 5]);
  await expect(put(a, { position: 0 })).rejects.toMatchObject({ code: 'invalid_value', param: 'position' });
});

test('what changes around a post changes its place, but not its revision', async () => {
  const { posts } = await filled(2);
  const [first, second] = posts as [Post, Post];
  const before = await read(second);
  await remove(first);
  const after = await read(second);
  expect(after).toEqual({ ...before, queue: { ...before.queue, position: 1, estimatedPublishTime: nineOClock() } });
});

test('a post leaves its queue when it is unscheduled, scheduled to a time, deleted, or put into another queue', async () => {
  const { queue, posts } = await filled(5);
  const [later, latest] = [soon(2), soon(3)];
  const [a, b, c, d] = posts as [Post, Post, Post, Post];
  expect(await unschedule(a)).toMatchObject({ status: 'POST_STATUS_NEW', queue: undefined });
  expect(await schedule(b, { scheduledPublishTime: later })).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: later,
    queue: undefined,
  });
  await remove(c);
  const other = await aQueue();
  expect(await put(d, { queueId: other.id })).toMatchObject({ queue: { queueId: other.id, position: 1 } });
  expect(await captions(queue)).toBe('4');
  expect(await getQueue(queue)).toMatchObject({ postCount: 1 });
  expect(await put(b)).toMatchObject({ scheduledPublishTime: undefined, queue: { queueId: queue.id, position: 2 } });
  expect(await update(b, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: latest })).toMatchObject({
    scheduledPublishTime: latest,
    queue: undefined,
  });
});

const withTargetsOf = async (restrictPublishTo: string[]) => {
  const queue = await aQueue({ restrictPublishTo });
  const post = await content.createPost(call, { queueId: queue.id });
  return { queue, post };
};

test.each<[string, (post: Post) => Promise<unknown>]>([
  ['unscheduled', (post) => unschedule(post)],
  ['scheduled to a time', (post) => schedule(post, { scheduledPublishTime: soon() })],
  ['given a time', (post) => update(post, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: soon() })],
  ['put into another queue', async (post) => put(post, { queueId: (await aQueue({ restrictPublishTo: ['x'] })).id })],
  ['moved by an update', async (post) => update(post, { updateMask: ['queue_id'], queueId: (await aQueue()).id })],
])('a post that is %s goes to no more accounts than it would have gone to from its queue', async (_how, leave) => {
  const { post } = await withTargetsOf(['facebook']);
  expect(post.restrictPublishTo).toEqual([]);
  await leave(post);
  expect(await read(post)).toMatchObject({ restrictPublishTo: ['facebook'] });
});

test.each(['POSTS_OF_DELETED_QUEUE_UNSCHEDULE', 'POSTS_OF_DELETED_QUEUE_MOVE'] as const)(
  'the posts of a deleted queue keep the targets that they had there: %s',
  async (posts) => {
    const { queue, post } = await withTargetsOf(['facebook']);
    const own = await content.createPost(call, { queueId: queue.id, restrictPublishTo: ['x'] });
    await deleteQueue(queue, { posts, moveToQueueId: posts === 'POSTS_OF_DELETED_QUEUE_MOVE' ? (await aQueue()).id : '' });
    expect(await read(post)).toMatchObject({ restrictPublishTo: ['facebook'] });
    expect(await read(own)).toMatchObject({ restrictPublishTo: ['x'] });
    // The timeline says who did it, and has no change of the content.
    const { entries } = await content.client.listEntries({ postId: post.id, after: undefined, pageSize: 100 }, call);
    const { actor, requestId } = call.call.metadata;
    const left = posts === 'POSTS_OF_DELETED_QUEUE_MOVE' ? 'queued' : 'unscheduled';
    expect(entries.map(({ kind }) => kind).filter((kind) => kind !== 'at_risk')).toEqual(['created', 'queued', left]);
    expect(entries.at(-1)).toMatchObject({ actor, requestId });
  },
);

test('targets that the request sets win over those of the queue, also if it clears them', async () => {
  const { post } = await withTargetsOf(['facebook']);
  const targets = { updateMask: ['restrict_publish_to'], restrictPublishTo: ['x'], scheduledPublishTime: soon() };
  expect(await schedule(post, targets)).toMatchObject({ restrictPublishTo: ['x'] });
  const { post: other } = await withTargetsOf(['facebook']);
  const toAll = { updateMask: ['restrict_publish_to', 'queue_id'], queueId: (await aQueue()).id };
  expect(await update(other, toAll)).toMatchObject({ restrictPublishTo: [] });
});

test('an update puts a post at the end of a queue, and never takes it out', async () => {
  const { queue, posts } = await filled(2);
  const [first] = posts as [Post];
  const draft = await content.createPost(call, { caption: 'd' });
  expect(await update(draft, { updateMask: ['queue_id'], queueId: queue.id })).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    queue: { position: 3 },
  });
  expect(await update(first, { updateMask: ['caption', 'queue_id'], caption: 'f', queueId: queue.id })).toMatchObject({
    queue: { position: 1 },
  });
  expect(await captions(queue)).toBe('f1d');
  await expect(update(first, { updateMask: ['queue_id'] })).rejects.toMatchObject({ code: 'invalid_request', param: 'queue_id' });
  const both = { updateMask: ['queue_id', 'scheduled_publish_time'], queueId: queue.id, scheduledPublishTime: soon() };
  await expect(update(draft, both)).rejects.toMatchObject({ code: 'invalid_request', param: 'queue_id' });
});

test('an edit of a post in a queue leaves its place', async () => {
  const { queue, posts } = await filled(3);
  expect(await update(posts[1]!, { updateMask: ['caption'], caption: 'x' })).toMatchObject({ queue: { queueId: queue.id, position: 2 } });
  expect(await captions(queue)).toBe('0x2');
});

test('a repeated call changes nothing more', async () => {
  const { queue, posts } = await filled(3);
  const operationId = newId();
  await put(posts[2]!, { position: 1, operationId });
  await put(posts[1]!, { position: 1 });
  expect(await put(posts[2]!, { position: 1, operationId })).toMatchObject({ queue: { position: 2 } });
  expect(await captions(queue)).toBe('120');
  const request = { postId: newId(), queueId: queue.id };
  await content.createPost(call, request);
  expect(await content.createPost(call, request)).toMatchObject({ queue: { position: 4 } });
  expect(await getQueue(queue)).toMatchObject({ postCount: 4 });
});

test('what cannot be put into a queue is rejected, and nothing changes', async () => {
  const post = await content.createPost(call);
  await expect(put(post)).rejects.toMatchObject({ code: 'missing_field', param: 'queue_id' });
  const queue = await aQueue();
  const empty = await content.createPost(call, { caption: '' });
  await expect(put(empty)).rejects.toMatchObject({ code: 'missing_field', param: 'caption' });
  const repeating = await content.createPost(call, { repeatingCron: '0 9 * * *' });
  await expect(put(repeating)).rejects.toMatchObject({ code: 'invalid_request', param: 'repeating_cron' });
  await expect(put(post, { queueId: newId() })).rejects.toMatchObject({ code: 'invalid_value', param: 'queue_id' });
  await expect(put({ id: newId() })).rejects.toMatchObject({ code: 'resource_not_found' });
  const published = await content.createPost(call, { status: 'POST_STATUS_PUBLISHED' });
  await expect(put(published)).rejects.toMatchObject({ code: 'conflict' });
  await expect(put(post, { expectedRevisions: [7] })).rejects.toMatchObject({ code: 'precondition_failed' });
  const create = (more: object) => content.createPost(call, { queueId: queue.id, ...more });
  await expect(create({ caption: '' })).rejects.toMatchObject({ code: 'missing_field', param: 'caption' });
  await expect(create({ repeatingCron: '0 9 * * *' })).rejects.toMatchObject({ code: 'invalid_request', param: 'repeating_cron' });
  await expect(create({ status: 'POST_STATUS_DRAFT' })).rejects.toMatchObject({ code: 'invalid_request', param: 'queue_id' });
  await expect(create({ scheduledPublishTime: soon() })).rejects.toMatchObject({ code: 'invalid_request', param: 'queue_id' });
  expect(await postsOf(queue)).toEqual([]);
  expect(await getQueue(queue)).toEqual(queue);
  const queued = await put(post);
  await expect(update(queued, { updateMask: ['repeating_cron'], repeatingCron: '0 9 * * *' })).rejects.toMatchObject({
    param: 'repeating_cron',
  });
  await expect(review(queued)).rejects.toMatchObject({ code: 'conflict' });
});

test('changes of slots, time zone and pause estimate all posts again, and lose none', async () => {
  const { queue, posts } = await filled(3);
  const estimates = async () => (await postsOf(queue)).map((post) => post.queue?.estimatedPublishTime);
  expect(await estimates()).toEqual([1, 2, 3].map(nineOClock));
  expect(await updateQueue(queue, { paused: true })).toMatchObject({ nextPublishTime: undefined, postCount: 3 });
  expect(await estimates()).toEqual([undefined, undefined, undefined]);
  await updateQueue(queue, { timezone: 'Asia/Tokyo' });
  expect((await updateQueue(queue, { paused: false })).nextPublishTime?.getUTCHours()).toBe(0);
  expect((await estimates()).map((at) => at?.getUTCHours())).toEqual([0, 0, 0]);
  await updateQueue(queue, { slots: [{ days: ['mon'], time: '12:30' }], timezone: 'UTC' });
  expect((await estimates()).map((at) => [at?.getUTCDay(), at?.getUTCHours(), at?.getUTCMinutes()])).toEqual(
    [1, 1, 1].map((day) => [day, 12, 30]),
  );
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
});

test('lists find the posts of a queue', async () => {
  const { queue, posts } = await filled(2);
  await drafts(2);
  const found = async () => (await content.client.listPosts(aList({ queueId: queue.id }), call)).posts.map(({ id }) => id);
  expect(await found()).toEqual(posts.map(({ id }) => id).reverse());
  await unschedule(posts[0]!);
  expect(await found()).toEqual([posts[1]!.id]);
});

test('a page continues after its last post, wherever that is now', async () => {
  const { queue, posts } = await filled(6);
  const page = (pageToken: string) => content.client.listQueuePosts({ queueId: queue.id, pageSize: 2, pageToken }, call);
  const shown = ({ posts: some }: { posts: Post[] }) => some.map(({ caption }) => caption).join('');
  const first = await page('');
  expect(shown(first)).toBe('01');
  await put(posts[5]!, { position: 1 });
  expect(shown(await page(first.nextPageToken))).toBe('23');
  await unschedule(posts[1]!);
  expect(shown(await page(first.nextPageToken))).toBe('02');
  await expect(page('x')).rejects.toMatchObject({ code: 'invalid_request', param: 'cursor' });
  const other = await aQueue();
  await expect(
    content.client.listQueuePosts({ queueId: other.id, pageSize: 2, pageToken: first.nextPageToken }, call),
  ).rejects.toMatchObject({
    param: 'cursor',
  });
});

test('concurrent changes of one queue all happen', async () => {
  const { queue, posts } = await filled(6);
  const more = await drafts(6);
  await Promise.all([
    ...more.map((post) => put(post, { position: 1 })),
    ...posts.slice(0, 3).map((post) => unschedule(post)),
    ...posts.slice(3).map((post) => put(post)),
    content.createPost(call, { caption: 'n', queueId: queue.id }),
  ]);
  const now = await postsOf(queue);
  expect(now.map(({ id }) => id).sort()).toEqual(
    (await content.client.listPosts(aList({ queueId: queue.id }), call)).posts.map(({ id }) => id).sort(),
  );
  expect(now.map((post) => post.queue?.position)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  expect(await getQueue(queue)).toMatchObject({ postCount: 10 });
});

test('a hundred concurrent changes of one queue all succeed', async () => {
  const { queue, posts } = await filled(100);
  await Promise.all(posts.map((post, index) => (index % 2 === 0 ? unschedule(post) : put(post, { position: 1 }))));
  expect(await getQueue(queue)).toMatchObject({ postCount: 50 });
  expect((await postsOf(queue, 100)).map((post) => post.queue?.position)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test('events report that posts come into queues, move and leave them', async () => {
  const { queue, posts } = await filled(2);
  const [first, second] = posts as [Post, Post];
  await put(second, { position: 1 });
  await unschedule(second);
  await remove(first);
  const changes = (post: Post) =>
    content.changesOf(post.id).map(({ changes, post: after }) => [changes.join().replaceAll('POST_CHANGE_', ''), after?.queue?.position]);
  await eventually(() => changes(second).length === 4 && changes(first).length === 3);
  expect(changes(second)).toEqual([
    ['CREATED', undefined],
    ['SCHEDULED,AT_RISK', 2],
    ['SCHEDULED', 1],
    ['UNSCHEDULED', undefined],
  ]);
  expect(changes(first)).toEqual([
    ['CREATED', undefined],
    ['SCHEDULED,AT_RISK', 1],
    ['DELETED', 1],
  ]);
  expect(content.changesOf(first.id).at(-1)?.post?.queue?.queueId).toBe(queue.id);
});

test('a paused queue puts its posts at risk, which is shown, but in an event of none of them', async () => {
  await content.connect(call, ['x']);
  const { queue, posts } = await filled(2);
  await updateQueue(queue, { paused: true });
  const risks = async () => (await read(posts[0]!)).atRisk.map(({ code }) => code);
  expect(await risks()).toEqual(['queue_paused']);
  await eventually(async () => (await content.client.listPosts(aList({ atRisk: true }), call)).posts.length === 2);
  await update(posts[0]!, { updateMask: ['caption'], caption: 'Bread' });
  await updateQueue(queue, { paused: false });
  expect(await risks()).toEqual([]);
  await eventually(() => content.changesOf(posts[0]!.id).length === 3);
  expect(content.changesOf(posts[0]!.id).flatMap(({ changes }) => changes)).not.toContain('POST_CHANGE_AT_RISK');
});

test('posts without targets of their own are checked for those of their queue', async () => {
  await content.connect(call, ['x']);
  const { queue, posts } = await filled(1);
  expect((await read(posts[0]!)).atRisk).toEqual([]);
  await updateQueue(queue, { restrictPublishTo: ['facebook'] });
  expect((await read(posts[0]!)).atRisk).toMatchObject([{ code: 'target_not_connected', platform: 'facebook' }]);
  await eventually(() => content.changesOf(posts[0]!.id).some(({ changes }) => changes.includes('POST_CHANGE_AT_RISK')));
});

test('the media of posts in queues are reserved', async () => {
  await aQueue();
  const post = await content.createPost(call, { mediaUrls: ['https://example.com/1.jpg'] });
  const queued = await put(post);
  await eventually(() => content.changesOf(post.id).length === 2);
  expect(content.changesOf(post.id).map(({ neededMediaIds }) => neededMediaIds)).toEqual([[], queued.media.map(({ id }) => id)]);
  await unschedule(queued);
  await eventually(() => content.changesOf(post.id).length === 3);
  expect(content.changesOf(post.id).at(-1)?.neededMediaIds).toEqual([]);
});

test('a queue with posts is deleted only if the request says what becomes of them', async () => {
  const queue = await aQueue();
  await Promise.all(Array.from({ length: 60 }, () => content.createPost(call, { queueId: queue.id })));
  const posts = await postsOf(queue);
  const other = await aQueue();
  const detail = expect.stringContaining('posts=unschedule, or posts=move_to:{queue_id}') as string;
  await expect(deleteQueue(queue)).rejects.toMatchObject({ code: 'invalid_request', param: 'posts', detail });
  for (const to of [queue.id, newId()])
    await expect(deleteQueue(queue, { posts: 'POSTS_OF_DELETED_QUEUE_MOVE', moveToQueueId: to })).rejects.toMatchObject({ param: 'posts' });
  expect(await getQueue(queue)).toMatchObject({ postCount: 60, isDefault: true });
  const operationId = newId();
  const move = { posts: 'POSTS_OF_DELETED_QUEUE_MOVE' as const, moveToQueueId: other.id, operationId };
  await deleteQueue(queue, move);
  await deleteQueue(queue, move);
  expect((await postsOf(other)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
  expect(await getQueue(other)).toMatchObject({ postCount: 60, isDefault: true });
  await expect(getQueue(queue)).rejects.toMatchObject({ code: 'resource_not_found' });
  await deleteQueue(other, { posts: 'POSTS_OF_DELETED_QUEUE_UNSCHEDULE' });
  expect(await read(posts[59]!)).toMatchObject({ status: 'POST_STATUS_NEW', queue: undefined, revision: 3 });
  expect(await content.db.collection('queue_blocks').countDocuments({ queue_id: { $in: [queue.id, other.id] } })).toBe(0);
});

test('a post that is scheduled anew leaves the queue in the same change', async () => {
  const { queue, posts } = await filled(1);
  const request = SchedulePostRequest.fromPartial({
    ...operation(),
    postId: posts[0]!.id,
    scheduledPublishTime: soon(),
    updateMask: ['repeating_cron'],
    repeatingCron: '0 9 * * *',
  });
  expect((await content.client.schedulePost(request, call)).post).toMatchObject({ queue: undefined, repeatingCron: '0 9 * * *' });
  expect(await postsOf(queue)).toEqual([]);
  const back = UpdatePostRequest.fromPartial({
    ...operation(),
    postId: posts[0]!.id,
    updateMask: ['repeating_cron', 'queue_id'],
    queueId: queue.id,
  });
  expect((await content.client.updatePost(back, call)).post).toMatchObject({ queue: { position: 1 }, repeatingCron: undefined });
});
