import type { Post } from '@fanfare/contracts/content';
import { eventually } from '@fanfare/testing';
import { changingPosts } from '../posts/changing-posts.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
let accounts: string[];

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  accounts = await content.connect(call, ['facebook', 'instagram', 'x']);
});

const { scheduled, update, schedule, unschedule, remove } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});
const SUCCESS = { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date(Date.now() + 60_000) } as const;
const FAILURE = { status: 'DELIVERY_STATUS_FAILED', errorType: 'validation_failed' } as const;

const create = (more = {}) => content.createPost(call, scheduled(more));
const publish = (post: Post, ...platforms: string[]) => content.publishPost(call, post.id, { restrictPublishTo: platforms });
const get = (post: Post) => content.getPost(call, post.id);
const results = ({ publishResults }: Post) =>
  publishResults.map(({ platform, status }) => `${platform} ${status.replace('PUBLISH_RESULT_STATUS_', '').toLowerCase()}`);
const until = (post: Post, isSo: (now: Post) => boolean) =>
  eventually(async () => {
    const now = await get(post);
    return isSo(now) && now;
  });
/** Emits the same result for all running deliveries of a post. */
async function emitResults(post: Post, result: object): Promise<Post> {
  const open = (await get(post)).publishResults.filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_PENDING');
  await content.emitDeliveries(
    post,
    open.map(({ deliveryId }) => ({ deliveryId, revision: 2, ...result })),
  );
  return until(post, (now) => results(now).every((one) => !one.endsWith('pending')));
}
/** Makes a post due and waits until it is claimed. */
async function letTimeCome(post: Post): Promise<Post> {
  const past = new Date(Date.now() - 1000);
  await content.posts.updateOne({ _id: post.id }, { $set: { scheduled_publish_time: past, next_due_at: past } });
  await eventually(async () => (await content.posts.findOne({ _id: post.id }))?.next_due_at === undefined);
  return get(post);
}
const sentTo = async (post: Post, count: number) => {
  await eventually(() => content.publicationsOf(post.id).length === count);
  return content.publicationsOf(post.id).map(({ deliveries }) => deliveries.map(({ platform }) => platform).sort());
};
const changes = async (post: Post) => {
  const { revision } = await get(post);
  await eventually(() => content.changesOf(post.id).length === revision);
  return content.changesOf(post.id).map((one) => one.changes.map((name) => name.replace('POST_CHANGE_', '')).join());
};

test('a restricted call publishes a scheduled post to some accounts now and to the rest at its time; no account gets it twice', async () => {
  const post = await create();
  const early = await publish(post, 'x');
  expect(results(early)).toEqual(['x pending']);
  expect(early).toMatchObject({ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: post.scheduledPublishTime, revision: 2 });
  const afterX = await emitResults(post, SUCCESS);
  expect(afterX).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: post.scheduledPublishTime,
    publishedAt: undefined,
  });
  expect(afterX.publishStatus).toBe('PUBLISH_STATUS_SUCCEEDED');

  const due = await letTimeCome(post);
  expect(results(due)).toEqual(['x success', 'facebook pending', 'instagram pending']);
  expect(due).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publishedAt: SUCCESS.publishedAt, scheduledPublishTime: undefined });
  expect(await sentTo(post, 2)).toEqual([['x'], ['facebook', 'instagram']]);
  await emitResults(post, FAILURE);
  expect(await get(post)).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publishStatus: 'PUBLISH_STATUS_PARTIALLY_FAILED' });
  expect(await changes(post)).toEqual([
    'CREATED,SCHEDULED,AT_RISK',
    'CLAIMED',
    'RESULT_CHANGED,ENDED',
    'CLAIMED,PUBLISHED',
    'RESULT_CHANGED',
    'RESULT_CHANGED,ENDED',
  ]);
});

test('a post is no longer scheduled after restricted calls that covered every account, in one or several steps', async () => {
  const whole = await create({ restrictPublishTo: ['facebook', 'x'] });
  await publish(whole, 'x', 'facebook');
  expect(await content.posts.findOne({ _id: whole.id })).not.toHaveProperty('next_due_at');

  const post = await create({ restrictPublishTo: ['facebook', 'x'] });
  await publish(post, 'x');
  await emitResults(post, SUCCESS);
  const rest = await publish(post, 'facebook');
  expect(results(rest)).toEqual(['x success', 'facebook pending']);
  expect(rest).toMatchObject({ status: 'POST_STATUS_PUBLISHED', scheduledPublishTime: undefined });
});

test('a platform without accounts is left for the scheduled time', async () => {
  const post = await create({ restrictPublishTo: ['x', 'tiktok'] });
  expect(await publish(post, 'x')).toMatchObject({ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: post.scheduledPublishTime });
  await emitResults(post, SUCCESS);
  await content.connect(call, ['tiktok']);
  expect(results(await letTimeCome(post))).toEqual(['x success', 'tiktok pending']);
});

test('an early failure is not retried at the scheduled time, but on request', async () => {
  const post = await create();
  await publish(post, 'x');
  expect(await emitResults(post, FAILURE)).toMatchObject({
    status: 'POST_STATUS_SCHEDULED',
    scheduledPublishTime: post.scheduledPublishTime,
  });
  await letTimeCome(post);
  expect(await sentTo(post, 2)).toEqual([['x'], ['facebook', 'instagram']]);
  expect(await emitResults(post, SUCCESS)).toMatchObject({
    status: 'POST_STATUS_PUBLISHED',
    publishStatus: 'PUBLISH_STATUS_PARTIALLY_FAILED',
  });
  expect(results(await publish(post, 'x')).at(-1)).toBe('x pending');
});

test('if nothing succeeds, early or at its time, the post returns to its previous status', async () => {
  const post = await create();
  await publish(post, 'x');
  await emitResults(post, FAILURE);
  await letTimeCome(post);
  expect(await emitResults(post, FAILURE)).toMatchObject({ status: 'POST_STATUS_NEW', publishStatus: 'PUBLISH_STATUS_FAILED' });
});

test('a series continues once, at the scheduled time', async () => {
  const post = await create({ repeatingCron: '0 9 * * *' });
  const inSeries = () => content.posts.find({ series_id: post.id }).toArray();
  await publish(post, 'x');
  await emitResults(post, SUCCESS);
  await publish(post, 'facebook');
  await emitResults(post, SUCCESS);
  expect(await inSeries()).toEqual([]);
  await letTimeCome(post);
  const [next, ...others] = await inSeries();
  expect(others).toEqual([]);
  expect(next).toMatchObject({ status: 'POST_STATUS_SCHEDULED', publish_results: [], publication_ids: [] });
  for (const field of ['early_integration_ids', 'is_followed', 'publish_status', 'last_failure']) expect(next).not.toHaveProperty(field);
});

test('concurrent calls for different accounts publish to their own, and a third one to the rest', async () => {
  const post = await create();
  await publish(post, 'facebook');
  expect(results(await publish(post, 'x'))).toEqual(['facebook pending', 'x pending']);
  expect(await sentTo(post, 2)).toEqual([['facebook'], ['x']]);
  const sent = await publish(post);
  expect(results(sent)).toEqual(['facebook pending', 'x pending', 'instagram pending']);
  expect(results(await emitResults(post, SUCCESS))).toEqual(['facebook success', 'x success', 'instagram success']);
});

test('edits in between apply to the rest, and are rejected while some accounts are being published to', async () => {
  const post = await create({ caption: 'Before' });
  await publish(post, 'x');
  const edit = { updateMask: ['caption'], caption: 'After' };
  await expect(update(post, edit)).rejects.toMatchObject({ code: 'conflict' });
  await emitResults(post, SUCCESS);
  await update(post, edit);
  const later = new Date(Date.now() + 7200_000);
  expect(await schedule(post, { scheduledPublishTime: later })).toMatchObject({ scheduledPublishTime: later });
  await letTimeCome(post);
  await sentTo(post, 2);
  expect(content.publicationsOf(post.id).map(({ snapshot }) => snapshot?.caption)).toEqual(['Before', 'After']);
});

test.each([
  ['already has is published', SUCCESS, 'POST_STATUS_PUBLISHED', 'UNSCHEDULED,PUBLISHED'],
  ['failed on returns to its previous status', FAILURE, 'POST_STATUS_NEW', 'UNSCHEDULED'],
])('after unscheduling, a post that an account %s', async (_what, result, status, change) => {
  const post = await create();
  await publish(post, 'x');
  await emitResults(post, result);
  expect(await unschedule(post)).toMatchObject({ status, scheduledPublishTime: undefined });
  expect((await changes(post)).at(-1)).toBe(change);
  const again = await content.publishPost(call, post.id);
  expect(results(again).filter((one) => one.endsWith('pending'))).toHaveLength(status === 'POST_STATUS_PUBLISHED' ? 2 : 3);
});

test('if the scheduled time comes while some accounts are being published to, the rest is still published', async () => {
  const post = await create();
  await publish(post, 'x');
  const due = await letTimeCome(post);
  expect(results(due)).toEqual(['x pending', 'facebook pending', 'instagram pending']);
  expect(due.status).toBe('POST_STATUS_SCHEDULED');
  expect(await sentTo(post, 2)).toEqual([['x'], ['facebook', 'instagram']]);
  expect(await emitResults(post, SUCCESS)).toMatchObject({ status: 'POST_STATUS_PUBLISHED' });
  expect((await changes(post)).filter((one) => one.includes('ENDED'))).toHaveLength(1);
});

test('a disconnected account keeps its result, and no failure is left', async () => {
  const [facebook = '', , x = ''] = accounts;
  const { organizationId, businessId } = call.call.metadata;
  const post = await create({ restrictPublishToIntegrationIds: [x, facebook] });
  await publish(post, 'x');
  await emitResults(post, SUCCESS);
  const status = 'INTEGRATION_STATUS_DISCONNECTED' as const;
  await content.announce({ id: x, organizationId, businessId, platform: 'x', status }, 2);
  await eventually(async () => (await content.db.collection('integrations').findOne({ _id: x as never }))?.['revision'] === 2);
  expect(results(await letTimeCome(post))).toEqual(['x success', 'facebook pending']);

  const everywhere = await content.createPost(call, scheduled());
  await publish(everywhere, 'facebook');
  await emitResults(everywhere, SUCCESS);
  const [, instagram = ''] = accounts;
  await content.announce({ id: instagram, organizationId, businessId, platform: 'instagram', status }, 2);
  await eventually(async () => (await content.db.collection('integrations').findOne({ _id: instagram as never }))?.['revision'] === 2);
  expect(await letTimeCome(everywhere)).toMatchObject({ status: 'POST_STATUS_PUBLISHED', lastFailure: undefined });
});

test('risks concern only the remaining targets', async () => {
  const post = await create({ caption: 'x'.repeat(281), restrictPublishTo: ['facebook', 'x'] });
  expect(post.atRisk).toMatchObject([{ platform: 'x' }]);
  expect((await publish(post, 'x')).atRisk).toEqual([]);
});

test('a deleted post is not published to the rest', async () => {
  const post = await create();
  await publish(post, 'x');
  await emitResults(post, SUCCESS);
  await remove(post);
  expect(await content.posts.findOne({ _id: post.id })).not.toHaveProperty('next_due_at');
});
