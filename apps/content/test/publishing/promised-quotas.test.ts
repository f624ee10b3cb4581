import { UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { postsWithMedia } from '../posts/posts-with-media.ts';
import { nineOClock, queueing } from '../queues/queueing.ts';
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
const { aMedia } = postsWithMedia(on);
const { aQueue, deleteQueue, updateQueue, put, postsOf } = queueing(on);
const jpeg = { mimeType: 'image/jpeg', sizeBytes: 90_000, width: 1_080, height: 1_080 };
const read = async (id: string) => risks(await content.getPost(call, id));
const risks = ({ atRisk }: Post) => atRisk.map(({ code, platform, field }) => [code, platform ?? '', field ?? ''].join(' '));

/** Direct posts of a TikTok account in 24 hours. */
const LIMIT = 15;
const noon = Date.UTC(2031, 5, 1, 12);
const at = (minutes: number) => new Date(noon + minutes * 60_000);
const create = (minutes: number, more = {}) =>
  content.createPost(call, {
    ...{ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(minutes), mediaIds: [aMedia(jpeg)] },
    ...more,
  });
const connect = async (accountId = '') => {
  const id = newId();
  const { organizationId, businessId } = call.call.metadata;
  const account = { id, organizationId, businessId, platform: 'tiktok', accountId, settings: { privacy_level: 'SELF_ONLY' } };
  await content.announce({ ...account, status: 'INTEGRATION_STATUS_CONNECTED' }, 1);
  // Known, and all posts were checked against it: a check that comes later would find more posts on that day.
  await eventually(async () => (await content.db.collection('risk_checks').countDocuments({ _id: id as never, is_told: true })) === 1);
  return id;
};
const listed = async () => (await content.client.listPosts(aList({ atRisk: true }), call)).posts.map(({ id }) => id);
const fill = async () => {
  const posts: Post[] = [];
  for (let index = 0; index < LIMIT; index++) posts.push(await create(index));
  return posts;
};
const PROMISED = 'quota_promised tiktok ';
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

test('when the posts of a day fill the quota of an account, those that are scheduled after that are at risk, until there is room', async () => {
  await connect();
  const posts = await fill();
  const between = await create(-1);
  expect(between).toMatchObject({ atRisk: [{ code: 'quota_promised', platform: 'tiktok', limit: LIMIT }] });
  expect(risks(await create(24 * 60 + 20))).toEqual([]);
  expect(risks(await create(1, { restrictPublishTo: ['facebook'] }))).not.toContain(PROMISED);
  const draft = { platform: 'tiktok', options: { post_mode: 'draft' } };
  expect(risks(await create(1, { platformOverrides: [{ override: draft }] }))).not.toContain(PROMISED);
  expect(await listed()).toContain(between.id);
  for (const { id } of posts) expect(await read(id)).toEqual([]);
  await content.client.unschedulePost({ operationId: newId(), postId: posts[3]!.id, expectedRevisions: [] }, call);
  await content.client.unschedulePost({ operationId: newId(), postId: posts[4]!.id, expectedRevisions: [] }, call);
  expect(await read(between.id)).toEqual([]);
  expect(await listed()).not.toContain(between.id);
});

test('when posts of a full day are deleted, only as many stay at risk as are too many', async () => {
  await connect();
  const posts = await fill();
  const [sixteenth, seventeenth] = [await create(LIMIT), await create(-5)];
  for (const { id } of [sixteenth, seventeenth]) expect(await read(id)).toEqual([PROMISED]);
  const remove = (one: Post) => content.client.deletePost({ operationId: newId(), postId: one.id, expectedRevisions: [] }, call);
  await remove(posts[0]!);
  expect(await read(sixteenth.id)).toEqual([]);
  expect(await read(seventeenth.id)).toEqual([PROMISED]);
  await remove(posts[1]!);
  expect(await listed()).toEqual([]);
  const last = await create(LIMIT + 1);
  expect(await listed()).toEqual([last.id]);
});

test('an edit that moves nothing leaves it as it is which posts of a full day are at risk', async () => {
  await connect();
  const [first] = await fill();
  const last = await create(LIMIT);
  const edit = { postId: first!.id, updateMask: ['caption'], caption: 'Changed' };
  const { post } = await content.client.updatePost(UpdatePostRequest.fromPartial({ operationId: newId(), ...edit }), call);
  expect(risks(post!)).toEqual([]);
  expect(await listed()).toEqual([last.id]);
});

test('an account that two businesses of an organization have connected has one quota; that of another organization does not count', async () => {
  await connect('shared');
  await fill();
  const { organizationId } = call.call.metadata;
  for (const [organization, expected] of [
    [organizationId, [PROMISED]],
    [newId(), []],
  ] as const) {
    call = aBusiness(organization);
    await connect('shared');
    expect(risks(await create(LIMIT))).toEqual(expected);
  }
});

test('drafts among the other posts of the day use no quota', async () => {
  await connect();
  const posts = await fill();
  const last = await create(LIMIT);
  expect(risks(last)).toEqual([PROMISED]);
  const draft = { platform: 'tiktok', options: { post_mode: 'draft' } };
  const edit = { postId: posts[0]!.id, updateMask: ['platform_overrides'], platformOverrides: [{ override: draft }] };
  await content.client.updatePost(UpdatePostRequest.fromPartial({ operationId: newId(), ...edit }), call);
  expect(await read(last.id)).toEqual([]);
  expect(await listed()).toEqual([]);
});

test('when they were scheduled before the account was connected, the last of the day is at risk', async () => {
  await fill();
  const last = await create(LIMIT);
  const accountId = await connect();
  await eventually(async () => (await content.posts.countDocuments({ _id: last.id, quota_promised: accountId })) === 1);
  expect(await read(last.id)).toEqual([PROMISED]);
  expect(await listed()).toEqual([last.id]);
});

test('posts in queues use the quota of the day for which they are estimated', async () => {
  await connect();
  const [daily, elsewhere] = [await aQueue(), await aQueue({ restrictPublishTo: ['facebook'] })];
  const fillQueue = async (queueId: string) => {
    const posts: Post[] = [];
    for (let nth = 1; nth <= 3; nth++) posts.push(await put(await content.createPost(call, { mediaIds: [aMedia(jpeg)] }), { queueId }));
    return posts;
  };
  const onThirdDay = (minutes: number) => create(0, { scheduledPublishTime: new Date(nineOClock(3).getTime() + minutes * 60_000) });
  for (let index = 2; index < LIMIT; index++) await onThirdDay(index);
  await fillQueue(elsewhere.id);
  expect(risks(await onThirdDay(LIMIT))).toEqual([]);

  const [first] = await fillQueue(daily.id);
  const last = await onThirdDay(LIMIT + 1);
  expect(risks(last)).toEqual([PROMISED]);
  await updateQueue(daily, { paused: true });
  expect(await read(last.id)).toEqual([]);
  await updateQueue(daily, { paused: false });
  expect(await read(last.id)).toEqual([PROMISED]);
  // Those behind it move up.
  await content.client.unschedulePost({ operationId: newId(), postId: first!.id, expectedRevisions: [] }, call);
  expect(await read(last.id)).toEqual([]);
});

describe('posts of a queue whose next slots are on full days', () => {
  const onDay = (nth: number, index: number) => create(0, { scheduledPublishTime: new Date(nineOClock(nth).getTime() + index * 60_000) });
  const fillDay = async (nth: number) => {
    const posts: Post[] = [];
    for (let index = 1; index <= LIMIT; index++) posts.push(await onDay(nth, index));
    return posts;
  };
  const queued = async (queueId: string, more = {}) =>
    put(await content.createPost(call, { mediaIds: [aMedia(jpeg)] }), { queueId, ...more });

  test('are at risk, until there is room or their place in the queue is on another day', async () => {
    await connect();
    const [first] = await fillDay(2);
    const { id: queueId } = await aQueue();
    expect(risks(await queued(queueId))).toEqual([]);
    const post = await queued(queueId);
    expect(risks(post)).toEqual([PROMISED]);
    expect(await listed()).toEqual([post.id]);
    expect((await postsOf({ id: queueId } as never)).map(risks)).toEqual([[], [PROMISED]]);
    expect(risks(await put(post, { queueId, position: 1 }))).toEqual([]);
    expect(await listed()).toEqual([]);
    expect(risks(await put(post, { queueId, position: 2 }))).toEqual([PROMISED]);
    await content.client.unschedulePost({ operationId: newId(), postId: first!.id, expectedRevisions: [] }, call);
    expect(await read(post.id)).toEqual([]);
  });

  test('are at risk after a change of the slots', async () => {
    await connect();
    await fillDay(3);
    const slotOn = (nth: number) => [{ days: [DAYS[nineOClock(nth).getUTCDay()]!], time: '23:00' }];
    const queue = await aQueue({ slots: slotOn(5) });
    const post = await queued(queue.id);
    expect(risks(post)).toEqual([]);
    await updateQueue(queue, { slots: slotOn(3) });
    await eventually(async () => (await listed()).includes(post.id));
    expect(await read(post.id)).toEqual([PROMISED]);
  });

  test('are at risk after the move to another queue, when theirs was deleted', async () => {
    const [from, to] = [await aQueue(), await aQueue({ paused: true })];
    const post = await queued(from.id);
    await deleteQueue(from, { posts: 'POSTS_OF_DELETED_QUEUE_MOVE', moveToQueueId: to.id });
    await eventually(async () => (await listed()).includes(post.id));
    expect((await content.getPost(call, post.id)).atRisk).toContainEqual(expect.objectContaining({ code: 'queue_paused' }));
  });
});
