// A business, or an organization, that is being deleted: nothing of it is published, nothing changes, and everything continues when it is opened again.
import { CreateBusinessRequest, UpdateBusinessRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { queueing } from './queues/queueing.ts';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from './running-content.ts';

let content: TestContent;
let call: Call;
let revision = 0;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  const { businessId } = call.call.metadata;
  await content.client.createBusiness(CreateBusinessRequest.fromPartial({ operationId: newId(), businessId, name: 'Bakery' }), call);
  await content.connect(call, ['x']);
});

const { aQueue, comes, put, stored, postsOf } = queueing({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const setClosure = (closed: boolean, { organization = false, at = ++revision } = {}) => {
  const { organizationId, businessId } = call.call.metadata;
  return content.client.setClosure({ organizationId, businessId: organization ? '' : businessId, closed, revision: at }, call);
};
const dueNow = async () => {
  const post = aScheduledPost(call, new Date(Date.now() - 1_000), { verdict: 'POST_STATUS_DRAFT' });
  await content.posts.insertOne(post);
  return post._id;
};
/** Another business's post that is due after it: when that one is claimed, the due loop has seen both. */
const anotherIsClaimed = async () => {
  const other = aBusiness();
  await content.connect(other, ['x']);
  const post = aScheduledPost(other, new Date(Date.now() - 500));
  await content.posts.insertOne(post);
  await eventually(() => content.publicationsOf(post._id).length > 0);
};

test.each([
  ['business', false],
  ['organization', true],
])('posts of a closed %s that become due wait, unchanged, and are published when it is opened', async (_, organization) => {
  await setClosure(true, { organization });
  const id = await dueNow();
  const before = await content.getPost(call, id);
  await anotherIsClaimed();
  await eventually(async () => ((await content.posts.findOne({ _id: id }))?.next_due_at?.getTime() ?? 0) > Date.now());
  expect(await content.getPost(call, id)).toEqual(before);
  expect(content.publicationsOf(id)).toEqual([]);
  expect((await content.client.getDueBacklog({}, call)).oldestDueAt).toBeUndefined();

  await setClosure(false, { organization });
  const [publication] = await eventually(() => content.publicationsOf(id).length > 0 && content.publicationsOf(id));
  expect(publication?.dueAt).toEqual(before.scheduledPublishTime);
});

test('a post whose time has passed when it is opened follows its misfire policy', async () => {
  const { businessId } = call.call.metadata;
  const profile = { misfirePolicy: 'MISFIRE_POLICY_HOLD' as const };
  await content.client.updateBusiness(UpdateBusinessRequest.fromPartial({ operationId: newId(), businessId, profile }), call);
  await setClosure(true);
  const post = aScheduledPost(call, new Date(Date.now() - 3_600_000), { verdict: 'POST_STATUS_DRAFT' });
  await content.posts.insertOne(post);
  await eventually(async () => ((await content.posts.findOne({ _id: post._id }))?.next_due_at?.getTime() ?? 0) > Date.now());
  await setClosure(false);
  await eventually(async () => (await content.getPost(call, post._id)).status === 'POST_STATUS_DRAFT');
  expect(await content.getPost(call, post._id)).toMatchObject({ lastFailure: { errorType: 'too_late' } });
  expect(content.publicationsOf(post._id)).toEqual([]);
});

test('a queue of a closed business publishes nothing, skips its slots, and loses no post', async () => {
  const queue = await aQueue();
  const posts = [await content.createPost(call), await content.createPost(call)];
  for (const post of posts) await put(post);
  await setClosure(true);
  const slot = await comes(queue);
  await eventually(async () => ((await stored(queue))?.next_slot_at?.getTime() ?? 0) > slot.getTime());
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual(posts.map(({ id }) => id));

  await setClosure(false);
  await comes(queue);
  await eventually(() => content.publicationsOf(posts[0]?.id ?? '').length > 0);
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([posts[1]?.id]);
});

test('a call to publish that was on its way is rejected, and changes nothing', async () => {
  const post = await content.createPost(call);
  await setClosure(true);
  await expect(content.publishPost(call, post.id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await content.getPost(call, post.id)).toEqual(post);
  await setClosure(false);
  await content.publishPost(call, post.id);
  await eventually(() => content.publicationsOf(post.id).length === 1);
});

test('it stays open, or closed, if calls arrive in another order', async () => {
  await setClosure(false, { at: 1_000 });
  await setClosure(true, { at: 999 });
  const id = await dueNow();
  await eventually(() => content.publicationsOf(id).length > 0);
});

test('a business that was opened stays closed while its organization is', async () => {
  await setClosure(true);
  await setClosure(true, { organization: true });
  const id = await dueNow();
  await eventually(async () => ((await content.posts.findOne({ _id: id }))?.next_due_at?.getTime() ?? 0) > Date.now());
  await setClosure(false);
  await anotherIsClaimed();
  expect(content.publicationsOf(id)).toEqual([]);
  await setClosure(false, { organization: true });
  await eventually(() => content.publicationsOf(id).length > 0);
});
