import { topics } from '@fanfare/contracts';
import { UnpublishPostRequest, type Post } from '@fanfare/contracts/content';
import { RemovalChanged } from '@fanfare/contracts/publisher/events';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent({ instances: 2 });
});
afterAll(() => content.stop());
beforeEach(() => (call = aBusiness()));

/** A post that all of these platforms have. */
async function published(...platforms: string[]): Promise<Post> {
  await content.connect(call, platforms);
  const post = await content.publishPost(call, (await content.createPost(call)).id);
  const success = { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date(), attempts: 1 } as const;
  await content.emitDeliveries(
    post,
    post.publishResults.map(({ deliveryId, platform }) => ({ deliveryId, revision: 1, ...success, publishId: `on ${platform}` })),
  );
  return until(post, ({ publishResults }) => publishResults.every(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS'));
}
const until = (post: Post, fits: (post: Post) => boolean) =>
  eventually(async () => {
    const now = await content.getPost(call, post.id);
    return fits(now) && now;
  });
async function unpublish(
  post: Post,
  more: Parameters<typeof UnpublishPostRequest.fromPartial>[0] = {},
  of = content.client,
): Promise<Post> {
  const request = UnpublishPostRequest.fromPartial({ operationId: newId(), postId: post.id, ...more });
  return (await of.unpublishPost(request, call)).post ?? Promise.reject(new Error('No post.'));
}
const requestsOf = (post: Post) =>
  content.peer
    .received(topics.removalsRequested)
    .map(({ data }) => data)
    .filter(({ postId }) => postId === post.id);
const removalOf = (post: Post, platform: string) => post.publishResults.find((one) => one.platform === platform)?.removal;
const statuses = (post: Post) =>
  Object.fromEntries(post.publishResults.map(({ platform, removal }) => [platform, removal?.status.replace('REMOVAL_STATUS_', '')]));
const emit = (post: Post, platform: string, revision: number, more: Partial<RemovalChanged>) =>
  content.peer.emit(topics.removalChanged, [
    {
      emission: { subject: removalOf(post, platform)?.id ?? '', revision, organizationId: 'o', businessId: 'b', flowId: 'flow' },
      data: RemovalChanged.fromPartial({ removalId: removalOf(post, platform)?.id ?? '', postId: post.id, organizationId: 'o', ...more }),
    },
  ]);
const REMOVED = { status: 'REMOVAL_STATUS_REMOVED' } as const;
const endsOf = (post: Post) => content.changesOf(post.id).filter(({ changes }) => changes.includes('POST_CHANGE_UNPUBLISHED'));

test('the removal of the post is requested once from the publisher, and the results say what became of it', async () => {
  const post = await published('facebook', 'x', 'instagram');
  const operationId = newId();
  const requested = await unpublish(post, { operationId });
  expect(statuses(requested)).toEqual({ facebook: 'PENDING', x: 'PENDING', instagram: 'NOT_SUPPORTED' });
  expect(await unpublish(post, { operationId })).toEqual(requested);
  const [request, ...more] = await eventually(() => requestsOf(post).length > 0 && requestsOf(post));
  expect(more).toEqual([]);
  expect(request).toMatchObject({ operationId, organizationId: call.call.metadata.organizationId, businessId: post.businessId });
  expect(request?.removals.map(({ platform, publishId }) => [platform, publishId]).sort()).toEqual([
    ['facebook', 'on facebook'],
    ['x', 'on x'],
  ]);

  await emit(requested, 'x', 1, REMOVED);
  await until(post, (now) => statuses(now)['x'] === 'REMOVED');
  expect(endsOf(post)).toEqual([]);
  await emit(requested, 'facebook', 1, { status: 'REMOVAL_STATUS_FAILED', errorType: 'permission_denied', detail: 'Not allowed' });
  const ended = await until(post, (now) => statuses(now)['facebook'] === 'FAILED');
  expect(removalOf(ended, 'facebook')).toMatchObject({ errorType: 'permission_denied', detail: 'Not allowed' });
  expect(ended).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publishStatus: 'PUBLISH_STATUS_SUCCEEDED' });
  const [end] = await eventually(() => endsOf(post).length > 0 && endsOf(post));
  expect(end).toMatchObject({ revision: ended.revision, actor: 'system:publisher', post: { id: post.id } });
  // Repeated and older events change nothing.
  await emit(requested, 'facebook', 1, REMOVED);
  await emit(requested, 'x', 2, { ...REMOVED, detail: 'the last' });
  expect((await until(post, (now) => removalOf(now, 'x')?.detail === 'the last')).revision).toBe(ended.revision + 1);
});

test('of several calls at the same time, one requests the removal', async () => {
  const post = await published('x');
  const responses = await Promise.all(Array.from({ length: 6 }, (_, index) => unpublish(post, {}, content.clients[index % 2])));
  expect(new Set(responses.map((one) => removalOf(one, 'x')?.id)).size).toBe(1);
  await emit(responses[0] ?? post, 'x', 1, REMOVED);
  await until(post, (now) => statuses(now)['x'] === 'REMOVED');
  await unpublish(post);
  await eventually(() => requestsOf(post).length > 0);
  const other = await published('x');
  await unpublish(other, { restrictPublishTo: ['x'] });
  await eventually(() => requestsOf(other).length > 0);
  expect(requestsOf(post)).toHaveLength(1);
});

test('a removed target is not published to again; a failed removal can be repeated', async () => {
  const post = await published('x');
  const first = await unpublish(post);
  await emit(first, 'x', 1, { status: 'REMOVAL_STATUS_FAILED', errorType: 'platform_unavailable' });
  await until(post, (now) => statuses(now)['x'] === 'FAILED');
  const second = await unpublish(post);
  expect(statuses(second)).toEqual({ x: 'PENDING' });
  expect(removalOf(second, 'x')?.id).not.toBe(removalOf(first, 'x')?.id);
  await emit(second, 'x', 1, REMOVED);
  await until(post, (now) => statuses(now)['x'] === 'REMOVED');
  await expect(content.publishPost(call, post.id)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('unpublished since') as string,
  });
});

test('it is rejected while the post is being published, for a post that is on no platform, and for an older revision', async () => {
  await content.connect(call, ['x']);
  const draft = await content.createPost(call);
  await expect(unpublish(draft)).rejects.toMatchObject({ code: 'conflict' });
  const sending = await content.publishPost(call, draft.id);
  await expect(unpublish(sending)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('being published') as string,
  });
  const post = await published('facebook');
  await expect(unpublish(post, { expectedRevisions: [post.revision - 1] })).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(unpublish(post, { restrictPublishToIntegrationIds: [newId()] })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'restrict_publish_to_integration_ids.0',
  });
  expect(statuses(await content.getPost(call, post.id))).toEqual({ facebook: undefined });
});

test('posts of others do not exist', async () => {
  const post = await published('x');
  const owner = call;
  for (const other of [aBusiness(), aBusiness(owner.call.metadata.organizationId)]) {
    call = other;
    await expect(unpublish(post)).rejects.toMatchObject({ code: 'resource_not_found' });
  }
  call = owner;
  expect(statuses(await content.getPost(call, post.id))).toEqual({ x: undefined });
});

test('a removal continues when its post is deleted, and its end is reported', async () => {
  const post = await published('x', 'facebook');
  const requested = await unpublish(post);
  await emit(requested, 'x', 1, REMOVED);
  await until(post, (now) => statuses(now)['x'] === 'REMOVED');
  await content.client.deletePost({ operationId: newId(), postId: post.id, expectedRevisions: [] }, call);
  await emit(requested, 'facebook', 1, REMOVED);
  const stored = () => content.posts.findOne({ _id: post.id });
  await eventually(async () => (await stored())?.publish_results.every(({ removal }) => removal?.status === 'REMOVAL_STATUS_REMOVED'));
  const last = (await stored())?.revision;
  await eventually(() => content.changesOf(post.id).some(({ revision }) => revision === last));
  expect(endsOf(post)).toMatchObject([{ revision: last }]);
});
