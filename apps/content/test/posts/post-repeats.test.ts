import { newId } from '@fanfare/runtime';
import { callAs, eventually } from '@fanfare/testing';
import { changingPosts } from './changing-posts.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

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
const { soon, update, schedule, unschedule, review, remove, CHANGES, inState, emitResult } = changingPosts(on);

describe('a repeated change', () => {
  test.each(CHANGES.filter(([name]) => name !== 'unschedule'))(
    '%s changes nothing more, even after later changes',
    async (_name, change) => {
      const post = await content.createPost(call);
      const again = { operationId: newId(), expectedRevisions: [post.revision] };
      await change(post, again);
      await change(post, again);
      expect((await content.posts.findOne({ _id: post.id }))?.revision).toBe(2);
    },
  );

  test('does not schedule a post again that was unscheduled since', async () => {
    const post = await content.createPost(call);
    const operationId = newId();
    await schedule(post, { operationId });
    const after = await unschedule(post);
    expect(await schedule(post, { operationId })).toEqual(after);
  });

  test('does not revert a later edit', async () => {
    const post = await content.createPost(call);
    const first = { operationId: newId(), updateMask: ['caption'], caption: 'First', mediaUrls: ['https://example.com/1.jpg'] };
    await update(post, first);
    const after = await update(post, { updateMask: ['caption'], caption: 'Second' });
    expect(await update(post, first)).toEqual(after);
  });

  test('of a post that was deleted since gets a response and does not restore the post', async () => {
    const post = await content.createPost(call);
    const first = { operationId: newId(), updateMask: ['caption'], caption: 'First' };
    await update(post, first);
    await remove(post);
    expect(await update(post, first)).toMatchObject({ caption: 'First' });
    await expect(content.getPost(call, post.id)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('publishes nothing if the first call found the post being published, and the publication has ended', async () => {
    const first = await inState('being sent');
    const again = { operationId: newId(), publicationId: newId() };
    await content.publishPost(call, first.id, again);
    const failed = await emitResult(first, { status: 'DELIVERY_STATUS_FAILED' });
    expect(await content.publishPost(call, first.id, again)).toEqual(failed);
  });

  test('happens once in twenty concurrent calls', async () => {
    const post = await content.createPost(call);
    const operationId = newId();
    const responses = await Promise.all(Array.from({ length: 20 }, () => schedule(post, { operationId, scheduledPublishTime: soon(3) })));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]?.revision).toBe(2);
  });
});

describe('a call with an expected revision', () => {
  test.each(CHANGES.filter(([name]) => name !== 'unschedule'))('%s changes only that revision', async (_name, change) => {
    const post = await content.createPost(call);
    await expect(change(post, { expectedRevisions: [2, 3] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await content.getPost(call, post.id)).toEqual(post);
    await change(post, { expectedRevisions: [9, 1] });
    expect((await content.posts.findOne({ _id: post.id }))?.revision).toBe(2);
  });

  test('publishes only that revision', async () => {
    await content.connect(call, ['x']);
    const post = await content.createPost(call);
    await expect(content.publishPost(call, post.id, { expectedRevisions: [2] })).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await content.publishPost(call, post.id, { expectedRevisions: [1] })).toMatchObject({ revision: 2 });
  });

  test('succeeds once in twenty concurrent calls', async () => {
    const post = await content.createPost(call);
    const edits = Array.from({ length: 20 }, (_, index) =>
      update(post, { expectedRevisions: [1], updateMask: ['caption'], caption: `${index}` }).catch((error: { code: string }) => error.code),
    );
    const responses = await Promise.all(edits);
    expect(responses.filter((response) => response === 'precondition_failed')).toHaveLength(19);
  });
});

test('calls of another organization or business cannot change a post', async () => {
  const post = await content.createPost(call);
  const own = call;
  const { organizationId, businessId } = own.call.metadata;
  for (const other of [callAs({ organizationId, businessId: newId() }), callAs({ organizationId: newId(), businessId })]) {
    call = other;
    for (const [, change] of CHANGES) await expect(change(post)).rejects.toMatchObject({ code: 'resource_not_found' });
  }
  expect(await content.getPost(own, post.id)).toEqual(post);
});

test('each change of a post has one event, in the order of its revisions', async () => {
  const post = await inState('NEW');
  await update(post, { updateMask: ['caption'], caption: 'Changed' });
  await review(post, { decision: 'REVIEW_DECISION_REJECT' });
  await schedule(post);
  await update(post, { updateMask: ['scheduled_publish_time'], scheduledPublishTime: soon(7) });
  await unschedule(post);
  await content.connect(call, ['x', 'facebook']);
  const sent = await content.publishPost(call, post.id);
  const [first, second] = sent.publishResults.map(({ deliveryId }) => deliveryId);
  const publicationId = sent.publishResults[0]?.publicationId ?? '';
  await content.emitDeliveries(sent, [
    { deliveryId: first ?? '', publicationId, revision: 2, status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() },
  ]);
  await eventually(async () => (await content.getPost(call, post.id)).status === 'POST_STATUS_PUBLISHED');
  await content.emitDeliveries(sent, [{ deliveryId: second ?? '', publicationId, revision: 2, status: 'DELIVERY_STATUS_FAILED' }]);
  await eventually(async () => (await content.getPost(call, post.id)).publishResults.every(({ status }) => !status.endsWith('PENDING')));
  await remove(post);

  const changes = await eventually(() => content.changesOf(post.id).length >= 10 && content.changesOf(post.id));
  expect(
    changes.map(({ revision, changes, status }) => [revision, changes.map((one) => one.slice(12)).join('+'), status.slice(12)]),
  ).toEqual([
    [1, 'CREATED', 'NEW'],
    [2, 'UPDATED', 'NEW'],
    [3, 'REJECTED', 'REJECTED'],
    [4, 'SCHEDULED+AT_RISK', 'SCHEDULED'],
    [5, 'UPDATED+SCHEDULED', 'SCHEDULED'],
    [6, 'UNSCHEDULED', 'REJECTED'],
    [7, 'CLAIMED', 'REJECTED'],
    [8, 'RESULT_CHANGED+PUBLISHED', 'PUBLISHED'],
    [9, 'RESULT_CHANGED+ENDED', 'PUBLISHED'],
    [10, 'DELETED', 'PUBLISHED'],
  ]);
  expect(changes[8]).toMatchObject({
    postId: post.id,
    organizationId: call.call.metadata.organizationId,
    businessId: call.call.metadata.businessId,
    publicationId,
    succeeded: 1,
    failed: 1,
  });
  expect(changes[1]).toMatchObject({ actor: call.call.metadata.actor, publicationId: undefined });
});
