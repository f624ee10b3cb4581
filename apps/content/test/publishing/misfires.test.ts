import { CreateBusinessRequest, UpdateBusinessRequest, type MisfirePolicy } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { changingPosts } from '../posts/changing-posts.ts';
import { aBusiness, aList, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
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

const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { update, schedule, scheduled } = changingPosts(on);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (ms: number) => new Date(Date.now() - ms);
const POLICY = {
  publish_late: 'MISFIRE_POLICY_PUBLISH_LATE',
  skip: 'MISFIRE_POLICY_SKIP',
  hold: 'MISFIRE_POLICY_HOLD',
} as const satisfies Record<string, MisfirePolicy>;
const setBusiness = async (profile: object) => {
  const { businessId } = call.call.metadata;
  const request = UpdateBusinessRequest.fromPartial({ operationId: newId(), businessId, profile });
  return (await content.client.updateBusiness(request, call)).business;
};
/** A post that was due before the service could claim it. */
const late = async (lateMs: number, more = {}) => {
  const post = aScheduledPost(call, ago(lateMs), { verdict: 'POST_STATUS_DRAFT', ...more });
  await content.posts.insertOne(post);
  await eventually(async () => (await content.posts.findOne({ _id: post._id }))?.next_due_at === undefined);
  return post._id;
};
const atRisk = async () => (await content.client.listPosts(aList({ atRisk: true }), call)).posts.map(({ id }) => id);
const endedEvent = (id: string) =>
  eventually(() => content.changesOf(id).find(({ changes }) => changes.includes('POST_CHANGE_ENDED')) ?? false);

test('a post that is late by less than the limit is published, with the time by which its deliveries must begin', async () => {
  const id = await late(23 * HOUR);
  const [request] = await eventually(() => content.publicationsOf(id).length > 0 && content.publicationsOf(id));
  const dueAt = request?.dueAt?.getTime() ?? 0;
  expect(request?.publishBefore?.getTime()).toBe(dueAt + 24 * HOUR);
  // The lag is measured from the scheduled time, not from the late claim.
  const [{ deliveryId } = { deliveryId: '' }] = request?.deliveries ?? [];
  const publishedAt = new Date();
  await content.emitDeliveries(await content.getPost(call, id), [
    { deliveryId, revision: 1, status: 'DELIVERY_STATUS_SUCCESS', publishedAt },
  ]);
  const [result] = await eventually(async () => {
    const { status, publishResults } = await content.getPost(call, id);
    return status === 'POST_STATUS_PUBLISHED' && publishResults;
  });
  expect(result?.lagMs).toBe(publishedAt.getTime() - dueAt);
});

test('a skipped post is not published, says why, and its series continues', async () => {
  const id = await late(2 * MINUTE, { misfire_policy: POLICY.skip, repeating_cron: '0 9 * * *' });
  expect(await content.getPost(call, id)).toMatchObject({
    status: 'POST_STATUS_DRAFT',
    publishStatus: 'PUBLISH_STATUS_FAILED',
    publishResults: [],
    atRisk: [],
    misfirePolicy: POLICY.skip,
    lastFailure: { errorType: 'too_late', detail: expect.stringContaining('Its misfire policy is skip.') },
  });
  expect(await endedEvent(id)).toMatchObject({ lastFailure: { errorType: 'too_late' }, succeeded: 0, publicationId: expect.any(String) });
  expect(await atRisk()).toEqual([]);
  const next = await content.posts.findOne({ series_id: id });
  expect(next).toMatchObject({ status: 'POST_STATUS_SCHEDULED', misfire_policy: POLICY.skip });
  expect(next?.next_due_at?.getTime()).toBeGreaterThan(Date.now());
  expect(content.publicationsOf(id)).toEqual([]);
});

test('a held post is in the list of posts at risk until somebody edits, schedules or publishes it', async () => {
  await setBusiness({ misfirePolicy: POLICY.hold });
  const [edited, planned, published] = [await late(2 * MINUTE), await late(2 * MINUTE), await late(2 * MINUTE)];
  expect([...(await atRisk())].sort()).toEqual([edited, planned, published].sort());
  const post = await content.getPost(call, edited);
  expect(post).toMatchObject({ status: 'POST_STATUS_DRAFT', atRisk: [{ code: 'misfire_hold' }], lastFailure: { errorType: 'too_late' } });
  expect(await endedEvent(edited)).toMatchObject({ post: { atRisk: [{ code: 'misfire_hold' }] } });
  expect(await update(post, { updateMask: ['caption'], caption: 'Still fresh' })).toMatchObject({ atRisk: [] });
  expect(await schedule(await content.getPost(call, planned))).toMatchObject({ atRisk: [] });
  expect((await content.publishPost(call, published)).publishResults).toHaveLength(1);
  expect(await atRisk()).toEqual([]);
});

test.each([
  ['hold', POLICY.hold, [{ code: 'misfire_hold' }]],
  ['publish_late', POLICY.publish_late, [{ code: 'misfire_hold' }]],
  ['skip', POLICY.skip, []],
])('with the policy %s, a post that was claimed in time, but whose deliveries were too late, says so too', async (_name, policy, risks) => {
  await content.connect(call, ['facebook']);
  const id = await late(1_000, { misfire_policy: policy });
  const [{ deliveries } = { deliveries: [] }] = await eventually(() => content.publicationsOf(id).length > 0 && content.publicationsOf(id));
  const tooLate = { status: 'DELIVERY_STATUS_FAILED', errorType: 'too_late', errorMessage: 'Could not start in time.' } as const;
  const post = await content.getPost(call, id);
  for (const { deliveryId } of deliveries) await content.emitDeliveries(post, [{ deliveryId, revision: 1, ...tooLate }]);
  expect(await endedEvent(id)).toMatchObject({ lastFailure: { errorType: 'too_late' }, failedResults: [{}, {}] });
  expect(await content.getPost(call, id)).toMatchObject({
    status: 'POST_STATUS_DRAFT',
    publishStatus: 'PUBLISH_STATUS_FAILED',
    lastFailure: { errorType: 'too_late', detail: 'Could not start in time.' },
    atRisk: risks,
  });
  expect(await atRisk()).toEqual(risks.length > 0 ? [id] : []);
  expect(await content.publishPost(call, id)).toMatchObject({ atRisk: [], lastFailure: undefined });
});

test('the limit of the business holds what is later, and the policy of a post takes precedence', async () => {
  expect(await setBusiness({ misfireLimitMinutes: 30 })).toMatchObject({ misfirePolicy: POLICY.publish_late, misfireLimitMinutes: 30 });
  const held = await late(31 * MINUTE);
  expect(await content.getPost(call, held)).toMatchObject({ atRisk: [{ code: 'misfire_hold' }] });
  await setBusiness({ misfirePolicy: POLICY.skip });
  const sent = await late(29 * MINUTE, { misfire_policy: POLICY.publish_late });
  expect(await content.getPost(call, sent)).toMatchObject({ publishStatus: 'PUBLISH_STATUS_SENDING' });
});

test('create, update and schedule set the policy, and clear it', async () => {
  const post = await content.createPost(call, scheduled({ misfirePolicy: POLICY.hold }));
  expect(post.misfirePolicy).toBe(POLICY.hold);
  expect((await update(post, { updateMask: ['misfire_policy'], misfirePolicy: POLICY.skip })).misfirePolicy).toBe(POLICY.skip);
  expect((await schedule(post)).misfirePolicy).toBe(POLICY.skip);
  const cleared = await schedule(post, { updateMask: ['misfire_policy'] });
  expect(cleared.misfirePolicy).toBe('MISFIRE_POLICY_UNSPECIFIED');
});

test.each([0, -1, 7 * 24 * 60 + 1])('a limit of %i minutes is rejected', async (misfireLimitMinutes) => {
  await expect(setBusiness({ misfireLimitMinutes })).rejects.toMatchObject({ code: 'invalid_value', param: 'misfire_limit_minutes' });
});
