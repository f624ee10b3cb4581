import { CreateBusinessRequest, type MisfirePolicy } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { queueing } from './queues/queueing.ts';
import { aBusiness, startContent, type Call, type TestContent } from './running-content.ts';

// Here clocks jump over what is due, as if no process had been running: the gateway moves them from one time to the next.
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** More than any test takes. */
const SOON_MS = 120_000;

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = await aConnectedBusiness();
});

async function aConnectedBusiness(): Promise<Call> {
  const own = aBusiness();
  const { businessId } = own.call.metadata;
  await content.client.createBusiness(CreateBusinessRequest.fromPartial({ operationId: newId(), businessId, name: 'Bakery' }), own);
  await content.connect(own, ['x']);
  return own;
}
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const scheduled = (hours: number, more: object = {}, by = call) =>
  content.createPost(by, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: inHours(hours), ...more });
const claimed = (id: string) =>
  eventually(async () => {
    const post = await content.posts.findOne({ _id: id });
    return post !== null && post.next_due_at === undefined && post;
  });
const { aQueue, put, postsOf, stored } = queueing({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});

test('a post is published when the clock of its organization comes to its time, and one of another organization is not', async () => {
  const other = await aConnectedBusiness();
  const post = await scheduled(DAY_HOURS);
  const theirs = await scheduled(DAY_HOURS, {}, other);
  expect((await content.clock.workLeft(call)).nextStopAt).toEqual(post.scheduledPublishTime);

  await content.clock.advance(call, DAY_HOURS);
  const { publish_results: results } = await claimed(post.id);
  expect(results).toMatchObject([{ status: 'PUBLISH_RESULT_STATUS_PENDING', dueAt: post.scheduledPublishTime }]);
  const [request] = await eventually(() => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id));
  expect(request).toMatchObject({ dueAt: post.scheduledPublishTime });
  const { openWork } = await content.clock.workLeft(call);
  expect(openWork).toEqual(['posts']);
  expect(await content.posts.findOne({ _id: theirs.id })).toMatchObject({ status: 'POST_STATUS_SCHEDULED', publish_results: [] });

  const publishedAt = new Date((post.scheduledPublishTime?.getTime() ?? 0) + 1_500);
  const changed = { deliveryId: results[0]?.deliveryId ?? '', revision: 1, publishedAt };
  await content.emitDeliveries(post, [
    { ...changed, status: 'DELIVERY_STATUS_SUCCESS', organizationId: call.call.metadata.organizationId },
  ]);
  const published = await eventually(async () => {
    const found = await content.getPost(call, post.id);
    return found.status === 'POST_STATUS_PUBLISHED' && found;
  });
  expect(published).toMatchObject({ publishedAt, publishResults: [{ lagMs: 1_500 }] });
  expect((published.updatedAt?.getTime() ?? 0) - publishedAt.getTime()).toBeGreaterThan(-SOON_MS);
  await eventually(async () => (await content.clock.workLeft(call)).openWork.length === 0);
});

test('times that a clock has passed are in the past, and times before them too', async () => {
  await content.clock.advance(call, 10 * DAY_HOURS);
  const draft = await content.createPost(call, {});
  expect(Math.abs((draft.createdAt?.getTime() ?? 0) - inHours(10 * DAY_HOURS).getTime())).toBeLessThan(SOON_MS);
  await expect(scheduled(9 * DAY_HOURS)).rejects.toMatchObject({ code: 'invalid_request', param: 'scheduled_publish_time' });
  expect((await scheduled(11 * DAY_HOURS)).status).toBe('POST_STATUS_SCHEDULED');
});

test('a clock that just continues publishes what becomes due', async () => {
  await content.clock.advance(call, 10 * DAY_HOURS);
  const post = await scheduled(10 * DAY_HOURS + 1 / 3_600);
  const { publish_results: results } = await claimed(post.id);
  expect(results).toMatchObject([{ dueAt: post.scheduledPublishTime }]);
});

test.each([
  ['MISFIRE_POLICY_PUBLISH_LATE', 20, 'published'],
  ['MISFIRE_POLICY_PUBLISH_LATE', 30, 'held'],
  ['MISFIRE_POLICY_SKIP', 2, 'skipped'],
  ['MISFIRE_POLICY_HOLD', 2, 'held'],
] as const satisfies readonly (readonly [MisfirePolicy, number, string])[])(
  'a post with %s whose time was missed by %d hours is %s',
  async (misfirePolicy, hours, outcome) => {
    const post = await scheduled(DAY_HOURS, { misfirePolicy });
    await content.clock.advance(call, DAY_HOURS + hours);
    const found = await claimed(post.id);
    if (outcome === 'published') return expect(found.publish_results).toHaveLength(1);
    expect(found).toMatchObject({ publish_results: [], last_failure: { error_type: 'too_late' } });
    expect(found.is_held === true).toBe(outcome === 'held');
    // The clock continues meanwhile, and minutes are rounded up.
    expect(found.last_failure?.detail).toMatch(new RegExp(`\\b(${hours * 60}|${hours * 60 + 1}) minutes later`));
  },
);

test('the next post of a series is after the time of the organization', async () => {
  const first = await scheduled(DAY_HOURS, { repeatingCron: '0 9 * * *' });
  await content.clock.advance(call, DAY_HOURS);
  await claimed(first.id);
  const next = await content.posts.findOne({ series_id: first.id });
  const at = next?.scheduled_publish_time?.getTime() ?? 0;
  const due = first.scheduledPublishTime?.getTime() ?? 0;
  expect(at).toBeGreaterThan(due);
  expect(at - due).toBeLessThanOrEqual(DAY_HOURS * HOUR_MS);
  expect((await content.clock.workLeft(call)).nextStopAt?.getTime()).toBe(at);
});

test('each slot that the clock comes to publishes one post, and missed slots publish none', async () => {
  const queue = await aQueue();
  const [first, second, third] = [await content.createPost(call), await content.createPost(call), await content.createPost(call)];
  for (const post of [first, second, third]) await put(post, { queueId: queue.id });
  const slot = (await stored(queue))?.next_slot_at as Date;
  expect((await content.clock.workLeft(call)).nextStopAt).toEqual(slot);

  await content.clock.advance(call, (slot.getTime() - Date.now()) / HOUR_MS);
  await eventually(async () => (await postsOf(queue)).length === 2);
  expect((await content.posts.findOne({ _id: first.id }))?.publish_results).toMatchObject([{ dueAt: slot }]);
  expect((await postsOf(queue))[0]).toMatchObject({
    id: second.id,
    queue: { position: 1, estimatedPublishTime: new Date(slot.getTime() + DAY_HOURS * HOUR_MS) },
  });

  // Over two slots, into the third day.
  await content.clock.advance(call, (slot.getTime() - Date.now()) / HOUR_MS + 2.5 * DAY_HOURS);
  const next = new Date(slot.getTime() + 3 * DAY_HOURS * HOUR_MS);
  await eventually(async () => (await stored(queue))?.next_slot_at?.getTime() === next.getTime());
  expect((await postsOf(queue)).map(({ id }) => id)).toEqual([second.id, third.id]);
});

test('the timeline has the times of the organization', async () => {
  await content.clock.advance(call, 30 * DAY_HOURS);
  const post = await scheduled(31 * DAY_HOURS);
  await content.clock.advance(call, 31 * DAY_HOURS);
  await claimed(post.id);
  const { entries } = await content.client.listEntries({ postId: post.id, after: undefined, pageSize: 100 }, call);
  const times = entries.map(({ kind, at }) => [kind, (at?.getTime() ?? 0) - Date.now()] as const);
  for (const [kind, aheadMs] of times) {
    const days = kind === 'claimed' ? 31 : undefined;
    expect(aheadMs).toBeGreaterThan((days ?? 30) * DAY_HOURS * HOUR_MS - SOON_MS);
  }
  expect(times.map(([kind]) => kind)).toContain('claimed');
});
