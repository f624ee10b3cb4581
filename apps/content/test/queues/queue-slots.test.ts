import { fork } from 'node:child_process';
import path from 'node:path';
import { topics } from '@fanfare/contracts';
import type { Post } from '@fanfare/contracts/content';
import type { Queue } from '@fanfare/contracts/content/queues';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { Binary } from 'mongodb';
import { DAYS } from '../../src/queues/slot-times.ts';
import { claimSlots } from '../../src/publishing/claim-slots.ts';
import { changingPosts } from '../posts/changing-posts.ts';
import { nineOClock, queueing } from './queueing.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
let x: string;
beforeAll(async () => {
  content = await startContent({ instances: 2 });
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  [x = ''] = await content.connect(call, ['x']);
});
const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { aQueue, getQueue, updateQueue, put, postsOf, comes, stored } = queueing(on);
const { unschedule } = changingPosts(on);
const filled = async (count: number, more = {}) => {
  const queue = await aQueue(more);
  const posts: Post[] = [];
  for (let index = 0; index < count; index++) posts.push(await content.createPost(call, { caption: String(index), queueId: queue.id }));
  return { queue, posts };
};
const read = (post: Pick<Post, 'id'>) => content.getPost(call, post.id);
const sent = (post: Post) => eventually(() => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id));
const emptied = (queue: Queue) => content.peer.received(topics.queueEmptied).filter(({ data }) => data.queue?.id === queue.id);
/** Waits until the slot was handled: the queue has another one, or none. */
const handled = (queue: Queue, at: Date) => eventually(async () => (await stored(queue))?.next_slot_at?.getTime() !== at.getTime());

test('a slot publishes the first post as due at its time, once with two replicas, and the others move up', async () => {
  const { queue, posts } = await filled(3);
  const at = await comes(queue);
  const [publication] = await sent(posts[0]!);
  expect(publication).toMatchObject({ dueAt: at, deliveries: [{ integrationId: x }] });
  expect(await read(posts[0]!)).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: at,
    queue: undefined,
    publishResults: [{ status: 'PUBLISH_RESULT_STATUS_PENDING' }],
  });
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]!.id, posts[2]!.id]);
  expect(await read(posts[1]!)).toMatchObject({ revision: 1, queue: { position: 1, estimatedPublishTime: nineOClock() } });
  expect(await getQueue(queue)).toMatchObject({ postCount: 2, nextPublishTime: nineOClock() });

  await content.emitDeliveries(posts[0]!, [
    { deliveryId: publication!.deliveries[0]!.deliveryId, revision: 2, status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() },
  ]);
  await eventually(async () => (await read(posts[0]!)).status === 'POST_STATUS_PUBLISHED');
  expect(await read(posts[0]!)).toMatchObject({ scheduledPublishTime: undefined, queue: undefined });
  await comes(queue);
  await sent(posts[1]!);
  expect(posts.map(({ id }) => content.publicationsOf(id).length)).toEqual([1, 1, 0]);
});

test('slots of many queues that come at once each publish one post', async () => {
  const queues = await Promise.all(
    Array.from({ length: 30 }, async () => {
      call = aBusiness();
      await content.connect(call, ['x']);
      return filled(2);
    }),
  );
  const at = new Date(Date.now() - 1_000);
  await Promise.all(queues.map(({ queue }) => comes(queue, at)));
  for (const { posts } of queues) await sent(posts[0]!);
  expect(queues.map(({ posts }) => posts.map(({ id }) => content.publicationsOf(id).length))).toEqual(queues.map(() => [1, 0]));
});

test('missed slots are skipped, not sent in a burst', async () => {
  const { queue, posts } = await filled(2);
  const at = await comes(queue, new Date(Date.now() - 3 * 86_400_000));
  await handled(queue, at);
  expect((await stored(queue))?.next_slot_at).toEqual(nineOClock());
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
});

test('slots are skipped while the post of an earlier one waits for long, so that two are never sent at once', async () => {
  const { queue, posts } = await filled(3);
  await comes(queue);
  const [first] = await sent(posts[0]!);
  const deliveryId = first!.deliveries[0]!.deliveryId;
  const tenMinutesAgo = new Date(Date.now() - 600_000);
  await content.posts.updateOne({ _id: posts[0]!.id }, { $set: { 'publish_results.0.dueAt': tenMinutesAgo } });
  for (const status of ['DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_PROCESSING'] as const) {
    await content.emitDeliveries(posts[0]!, [{ deliveryId, revision: status === 'DELIVERY_STATUS_PENDING' ? 1 : 2, status }]);
    await handled(queue, await comes(queue));
    expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]!.id, posts[2]!.id]);
    expect((await stored(queue))?.next_slot_at).toEqual(nineOClock());
  }
  await content.emitDeliveries(posts[0]!, [{ deliveryId, revision: 3, status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() }]);
  await eventually(async () => (await read(posts[0]!)).status === 'POST_STATUS_PUBLISHED');
  await comes(queue);
  await sent(posts[1]!);
});

test.each(['confirming', 'removing'])('a post that was sent, and is %s now, delays no later one', async (reason) => {
  const { queue, posts } = await filled(2);
  await comes(queue);
  const [first] = await sent(posts[0]!);
  const deliveryId = first!.deliveries[0]!.deliveryId;
  await content.posts.updateOne({ _id: posts[0]!.id }, { $set: { 'publish_results.0.dueAt': new Date(Date.now() - 600_000) } });
  const waiting = { reason, until: undefined, message: 'For long' };
  await content.emitDeliveries(posts[0]!, [{ deliveryId, revision: 1, status: 'DELIVERY_STATUS_PROCESSING', waiting }]);
  await eventually(async () => (await read(posts[0]!)).publishResults[0]?.waiting?.reason === reason);
  await comes(queue);
  await sent(posts[1]!);
});

test('a post that could not begin in time returns to its place in the queue, and a later slot publishes it', async () => {
  const { queue, posts } = await filled(2);
  const at = await comes(queue);
  const [first] = await sent(posts[0]!);
  expect(first!.publishBefore).toEqual(new Date(at.getTime() + 6 * 60_000));
  const late = { status: 'DELIVERY_STATUS_FAILED', errorType: 'too_late', errorMessage: 'Too late.' } as const;
  await content.emitDeliveries(posts[0]!, [{ deliveryId: first!.deliveries[0]!.deliveryId, revision: 1, ...late }]);
  const back = await eventually(async () => {
    const post = await read(posts[0]!);
    return post.queue && post;
  });
  expect(back).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    queue: { queueId: queue.id, position: 1, estimatedPublishTime: nineOClock() },
    scheduledPublishTime: undefined,
    publishResults: [{ errorType: 'too_late' }],
    lastFailure: undefined,
    atRisk: [],
  });
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
  const changes = content.peer.received(topics.postChanged).filter(({ data }) => data.postId === posts[0]!.id);
  await eventually(() =>
    content.peer
      .received(topics.postChanged)
      .some(({ data }) => data.postId === posts[0]!.id && data.changes.includes('POST_CHANGE_SCHEDULED') && data.failed === 1),
  );
  expect(changes.flatMap(({ data }) => data.changes)).not.toContain('POST_CHANGE_ENDED');
  await comes(queue);
  await eventually(() => content.publicationsOf(posts[0]!.id).length === 2);
});

test('after missed slots, one that has just come publishes, also if several have', async () => {
  const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000);
  const slots = [8, 3, 2, 1].map((minutes) => ({ days: [...DAYS], time: minutesAgo(minutes).toISOString().slice(11, 16) }));
  const { queue, posts } = await filled(4, { slots, timezone: 'UTC' });
  await comes(queue, minutesAgo(8));
  const [publication] = await sent(posts[0]!);
  expect(Date.now() - publication!.dueAt!.getTime()).toBeLessThan(6 * 60_000);
  await eventually(async () => ((await stored(queue))?.next_slot_at?.getTime() ?? 0) > Date.now());
  expect(posts.map(({ id }) => content.publicationsOf(id).length)).toEqual([1, 0, 0, 0]);
});

test('a paused queue publishes nothing, and continues with its next slot', async () => {
  const { queue, posts } = await filled(1);
  await updateQueue(queue, { paused: true });
  expect(await stored(queue)).not.toHaveProperty('next_slot_at');
  await put(posts[0]!, { position: 1 });
  expect(await stored(queue)).not.toHaveProperty('next_slot_at');
  await updateQueue(queue, { paused: false });
  expect(await getQueue(queue)).toMatchObject({ nextPublishTime: nineOClock() });
});

test('an event reports once that a slot took the last post, or came after it was taken out', async () => {
  const { queue, posts } = await filled(1);
  await comes(queue);
  await sent(posts[0]!);
  await eventually(() => emptied(queue).length === 1);
  expect(emptied(queue)[0]).toMatchObject({
    subject: queue.id,
    actor: 'system:content',
    data: { queue: { id: queue.id, postCount: 0, isDefault: true, nextPublishTime: undefined } },
  });
  expect(await stored(queue)).not.toHaveProperty('next_slot_at');
  const again = await content.createPost(call, { queueId: queue.id });
  expect((await stored(queue))?.next_slot_at).toEqual(nineOClock());
  await unschedule(again);
  expect(await getQueue(queue)).toMatchObject({ postCount: 0, nextPublishTime: undefined });
  expect(emptied(queue)).toHaveLength(1);
  await comes(queue);
  await eventually(() => emptied(queue).length === 2);
  expect(await stored(queue)).not.toHaveProperty('next_slot_at');
});

test('posts without targets of their own go to those of their queue, and keep them', async () => {
  const [facebook = ''] = await content.connect(call, ['facebook']);
  const { queue, posts } = await filled(1, { restrictPublishTo: ['facebook'] });
  const own = await content.createPost(call, { queueId: queue.id, restrictPublishTo: ['x'] });
  await comes(queue);
  expect(await sent(posts[0]!)).toMatchObject([{ deliveries: [{ integrationId: facebook }] }]);
  expect(await read(posts[0]!)).toMatchObject({ restrictPublishTo: ['facebook'] });
  await comes(queue);
  expect(await sent(own)).toMatchObject([{ deliveries: [{ integrationId: x }] }]);
});

test('a post that cannot be published at its slot says why and leaves the queue, which continues', async () => {
  call = aBusiness();
  const { queue, posts } = await filled(2);
  const at = await comes(queue);
  await handled(queue, at);
  expect(await read(posts[0]!)).toMatchObject({
    status: 'POST_STATUS_NEW',
    queue: undefined,
    lastFailure: { errorType: 'permission_denied' },
  });
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]!.id]);
});

test('a failed post that is queued again is published by the next slot', async () => {
  const { queue, posts } = await filled(2);
  await comes(queue);
  const [first] = await sent(posts[0]!);
  await content.emitDeliveries(posts[0]!, [
    { deliveryId: first!.deliveries[0]!.deliveryId, revision: 2, status: 'DELIVERY_STATUS_FAILED' },
  ]);
  await eventually(async () => (await read(posts[0]!)).status === 'POST_STATUS_NEW');
  await put(posts[0]!, { position: 1 });
  await comes(queue);
  await eventually(() => content.publicationsOf(posts[0]!.id).length === 2);
  expect(content.publicationsOf(posts[1]!.id)).toEqual([]);
});

test('publishing a post now takes it out of its queue; publishing it to some accounts keeps its place', async () => {
  await content.connect(call, ['facebook']);
  const { queue, posts } = await filled(3);
  const early = await content.publishPost(call, posts[1]!.id, { restrictPublishTo: ['x'] });
  expect(early).toMatchObject({ status: 'POST_STATUS_SCHEDULED', queue: { queueId: queue.id, position: 2 } });
  const now = await content.publishPost(call, posts[0]!.id);
  expect(now).toMatchObject({ status: 'POST_STATUS_SCHEDULED', queue: undefined });
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]!.id, posts[2]!.id]);
  const result = early.publishResults[0]!;
  await content.emitDeliveries(early, [
    { deliveryId: result.deliveryId, revision: 2, status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() },
  ]);
  await eventually(async () => (await read(early)).publishResults.every(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS'));
  expect(await read(early)).toMatchObject({ status: 'POST_STATUS_SCHEDULED', queue: { position: 1 } });
  await comes(queue);
  await eventually(() => content.publicationsOf(early.id).length === 2);
  expect(content.publicationsOf(early.id)[1]?.deliveries).toMatchObject([{ platform: 'facebook' }]);
  expect((await read(early)).status).toBe('POST_STATUS_PUBLISHED');
});

test('moving, unscheduling and publishing the first post while its slot comes: it is published once or not at all', async () => {
  for (const race of [
    (post: Post) => put(post),
    (post: Post) => unschedule(post),
    (post: Post) => content.publishPost(call, post.id),
    (post: Post) => put(post, { position: 2 }),
  ]) {
    const { queue, posts } = await filled(3);
    const at = await comes(queue);
    await race(posts[0]!).catch(() => undefined);
    await handled(queue, at);
    const left = await postsOf(queue);
    const ids = new Set(left.map(({ id }) => id));
    expect(await getQueue(queue)).toMatchObject({ postCount: left.length });
    for (const post of posts) {
      const { queue: place, publishResults } = await read(post);
      expect([place !== undefined, publishResults.length <= 1]).toEqual([ids.has(post.id), true]);
    }
  }
});

/** Handles the slot in a process that is killed before or right after its transaction commits. */
async function killed(queue: Queue, dies: 'before' | 'after'): Promise<void> {
  const due = { _id: queue.id, next_slot_at: (await stored(queue))?.next_slot_at };
  const argument = JSON.stringify({ env: content.env, due, dies });
  const child = fork(path.join(import.meta.dirname, 'slots-that-die.ts'), [argument], { execPath: process.execPath, execArgv: [] });
  let lsid = '';
  child.on('message', (id) => (lsid = id as string));
  expect(await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))).toBe('SIGKILL');
  await content.db.command({ killSessions: [{ id: new Binary(Buffer.from(lsid, 'hex'), Binary.SUBTYPE_UUID) }] });
}

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a process that is killed %s its commit: the slot publishes one post', async (dies, count) => {
  const { queue, posts } = await filled(2);
  // Far enough in the future that the loops do not handle it.
  const at = await comes(queue, new Date(Date.now() + 3600_000));
  await killed(queue, dies);
  expect((await postsOf(queue)).length).toBe(2 - count);
  await claimSlots(content.context, [{ _id: queue.id, organization_id: '', business_id: '', next_slot_at: at }]);
  await sent(posts[0]!);
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]!.id]);
  expect(content.publicationsOf(posts[0]!.id)).toHaveLength(1);
});

test('the backlog includes slots that have come', async () => {
  const { queue } = await filled(1);
  const at = new Date(Date.now() - 2_000);
  const backlog = async () => (await content.client.getDueBacklog({}, call)).oldestDueAt;
  // A queue that this version cannot handle.
  await content.db.collection('queue_blocks').updateOne({ queue_id: queue.id }, { $set: { post_ids: [newId()] } });
  await comes(queue, at);
  expect(await backlog()).toEqual(at);
  await content.db.collection('queues').deleteOne({ _id: queue.id as never });
});
