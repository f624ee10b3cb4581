import { UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { deliveryOf, FAILURE, PROCESSING, statuses, SUCCESS } from '../publishing/delivery-results.ts';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  await content.connect(call, ['facebook', 'x']);
});

const until = (post: Post, fits: (post: Post) => boolean) =>
  eventually(async () => {
    const now = await content.getPost(call, post.id);
    return fits(now) && now;
  });
const TOGETHER = { caption: 'Together', restrictPublishTo: ['x', 'facebook'] };
const requestOf = async (post: Post) =>
  (await eventually(() => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id)))[0]!;

test('a publication names its strategy, and its deliveries in the order of the restriction', async () => {
  const post = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST' });
  expect(post.strategy).toBe('PUBLISH_STRATEGY_PRIMARY_FIRST');
  await content.publishPost(call, post.id);
  const { strategy, deliveries } = await requestOf(post);
  expect([strategy, deliveries.map(({ platform }) => platform)]).toEqual(['PUBLISH_STRATEGY_PRIMARY_FIRST', ['x', 'facebook']]);
});

test('the first account of the post stays the first one, in whatever order a call selects the accounts', async () => {
  const post = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST' });
  await content.publishPost(call, post.id, { restrictPublishTo: ['facebook', 'x'] });
  expect((await requestOf(post)).deliveries.map(({ platform }) => platform)).toEqual(['x', 'facebook']);
});

test('with all_or_nothing, a post is PUBLISHED when the last account has it', async () => {
  const { id } = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING' });
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 0), revision: 1, ...SUCCESS }]);
  const one = await until(post, (now) => statuses(now)[0] === 'SUCCESS');
  expect(one.status).toBe('POST_STATUS_NEW');
  await content.emitDeliveries(post, [{ deliveryId: deliveryOf(post, 1), revision: 1, ...SUCCESS }]);
  await until(post, (now) => now.status === 'POST_STATUS_PUBLISHED');
});

test('with all_or_nothing, a post of which one account was taken back is not PUBLISHED, and can be published again', async () => {
  const { id } = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING' });
  const post = await content.publishPost(call, id);
  const [first, second] = [deliveryOf(post, 0), deliveryOf(post, 1)];
  await content.emitDeliveries(post, [{ deliveryId: first, revision: 1, ...SUCCESS }]);
  await until(post, (now) => statuses(now)[0] === 'SUCCESS');
  await content.emitDeliveries(post, [{ deliveryId: first, revision: 2, ...PROCESSING }]);
  await until(post, (now) => statuses(now)[0] === 'PROCESSING');
  await content.emitDeliveries(post, [{ deliveryId: second, revision: 1, ...FAILURE }]);
  await content.emitDeliveries(post, [{ deliveryId: first, revision: 3, ...FAILURE, errorType: 'other_target_failed' }]);
  const ended = await until(post, (now) => statuses(now).every((status) => status === 'FAILED'));
  expect(ended).toMatchObject({ status: 'POST_STATUS_NEW', publishedAt: undefined });
  expect(statuses(await content.publishPost(call, id))).toEqual(['PENDING', 'PENDING']);
});

test('with all_or_nothing, a post without the account that failed is PUBLISHED when the others have it', async () => {
  const { id } = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING' });
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(
    post,
    [0, 1].map((index) => ({ deliveryId: deliveryOf(post, index), revision: 1, ...FAILURE })),
  );
  await until(post, (now) => statuses(now).every((status) => status === 'FAILED'));
  await content.client.updatePost(
    UpdatePostRequest.fromPartial({
      operationId: newId(),
      postId: id,
      updateMask: ['restrict_publish_to'],
      restrictPublishTo: ['facebook'],
    }),
    call,
  );
  const again = await content.publishPost(call, id);
  const pending = again.publishResults.find(({ status }) => status === 'PUBLISH_RESULT_STATUS_PENDING');
  await content.emitDeliveries(post, [{ deliveryId: pending?.deliveryId ?? '', revision: 1, ...SUCCESS }]);
  await until(post, (now) => now.status === 'POST_STATUS_PUBLISHED');
});

test('with all_or_nothing, a post that stays on one account is PUBLISHED when its strategy requires no other', async () => {
  const { id } = await content.createPost(call, { ...TOGETHER, strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING' });
  const post = await content.publishPost(call, id);
  await content.emitDeliveries(post, [
    { deliveryId: deliveryOf(post, 0), revision: 1, ...SUCCESS },
    { deliveryId: deliveryOf(post, 1), revision: 1, ...FAILURE },
  ]);
  const ended = await until(post, (now) => statuses(now).join() === 'SUCCESS,FAILED');
  expect(ended.status).toBe('POST_STATUS_NEW');
  const { post: changed } = await content.client.updatePost(
    UpdatePostRequest.fromPartial({
      ...{ operationId: newId(), postId: id, updateMask: ['strategy'] },
      strategy: 'PUBLISH_STRATEGY_INDEPENDENT',
    }),
    call,
  );
  expect(changed).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publishedAt: expect.any(Date) as Date });
  await eventually(() => content.changesOf(id).some(({ changes }) => changes.includes('POST_CHANGE_PUBLISHED')));
});

test.each([
  ['PUBLISH_STRATEGY_PRIMARY_FIRST', 'primary_failed'],
  ['PUBLISH_STRATEGY_ALL_OR_NOTHING', 'other_target_failed'],
] as const)('with %s, each account of a due post that is not sent has a result that says why', async (strategy, errorType) => {
  const post = aScheduledPost(call, new Date(Date.now() - 1_000), { restrict_publish_to: ['tiktok', 'x'], strategy });
  await content.posts.insertOne(post);
  const ended = await eventually(async () => {
    const { status, publishResults, lastFailure } = await content.getPost(call, post._id);
    return status === 'POST_STATUS_NEW' && { publishResults, lastFailure };
  });
  expect(ended.lastFailure).toBeUndefined();
  expect(ended.publishResults.map(({ platform, errorType: type }) => [platform, type]).sort()).toEqual([
    ['tiktok', 'permission_denied'],
    ['x', errorType],
  ]);
  expect(ended.publishResults.find(({ platform }) => platform === 'x')?.errorMessage).toContain('No TikTok account is connected.');
});

test('a post whose first account failed early is not sent to the others at its time, and says why', async () => {
  const at = new Date(Date.now() + 3_600_000);
  const { id } = await content.createPost(call, {
    ...TOGETHER,
    strategy: 'PUBLISH_STRATEGY_PRIMARY_FIRST',
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: at,
  });
  const early = await content.publishPost(call, id, { restrictPublishTo: ['x'] });
  await content.emitDeliveries(early, [{ deliveryId: deliveryOf(early, 0), revision: 1, ...FAILURE }]);
  await until(early, (now) => statuses(now)[0] === 'FAILED');
  await content.posts.updateOne({ _id: id }, { $set: { next_due_at: new Date(Date.now() - 1_000) } });
  const ended = await until(early, (now) => now.status === 'POST_STATUS_NEW');
  expect(ended.publishResults.map(({ platform, errorType }) => [platform, errorType]).sort()).toEqual([
    ['facebook', 'primary_failed'],
    ['x', FAILURE.errorType],
  ]);
  expect(ended.publishResults.find(({ platform }) => platform === 'facebook')?.errorMessage).toContain('publishing it early to x failed');
});

test('a post whose strategy is not possible is not begun', async () => {
  const { id } = await content.createPost(call, {
    caption: 'To an account that is not there',
    restrictPublishTo: ['x', 'tiktok'],
    strategy: 'PUBLISH_STRATEGY_ALL_OR_NOTHING',
  });
  await expect(content.publishPost(call, id)).rejects.toMatchObject({
    code: 'invalid_request',
    detail: 'This post goes to all of its accounts or to none. No TikTok account is connected.',
  });
});
