import { ReviewPostRequest, SchedulePostRequest, UpdatePostRequest, type Post } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';
import { changingPosts } from './changing-posts.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});
const { schedule, unschedule, review, update, remove, soon } = changingPosts({
  get content() {
    return content;
  },
  get call() {
    return call;
  },
});

const entriesOf = async (postId: string, as = call) =>
  (await content.client.listEntries({ postId, after: undefined, pageSize: 100 }, as)).entries;
const kindsAndDetails = async (postId: string) => (await entriesOf(postId)).map(({ kind, details }) => [kind, details]);

test('has every change of a post, who made it and by which request', async () => {
  const post = await content.createPost(call, { caption: 'Bread' });
  await update(post, { updateMask: ['caption', 'link'], caption: 'Fresh bread', link: 'https://example.com' });
  await update(post, { updateMask: ['caption'], caption: 'Fresh bread' });
  await review(post, { decision: 'REVIEW_DECISION_REJECT', note: 'Which bread?' });
  await review(post);
  await review(post);
  const [first, second] = [soon(2), soon(3)];
  await schedule(post, { scheduledPublishTime: first });
  await update(post, { updateMask: ['scheduled_publish_time', 'caption'], caption: 'Rye', scheduledPublishTime: second });
  await unschedule(post);
  await remove(post);
  expect(await kindsAndDetails(post.id)).toEqual([
    ['created', { status: 'NEW' }],
    ['edited', { fields: ['caption', 'link'] }],
    ['edited', { fields: [] }],
    ['reviewed', { decision: 'reject', note: 'Which bread?' }],
    ['reviewed', { decision: 'approve' }],
    ['reviewed', { decision: 'approve' }],
    ['scheduled', { scheduled_publish_time: first.toISOString() }],
    // Nothing is connected.
    ['at_risk', { codes: ['target_not_connected'] }],
    ['edited', { fields: ['caption', 'scheduled_publish_time'] }],
    ['scheduled', { scheduled_publish_time: second.toISOString(), previous_time: first.toISOString() }],
    ['unscheduled', { status: 'DRAFT' }],
    ['deleted', {}],
  ]);
  const entries = await entriesOf(post.id);
  const { actor, requestId } = call.call.metadata;
  for (const entry of entries) expect(entry).toMatchObject({ actor, requestId });
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => `${post.id}:${String(index + 1).padStart(8, '0')}`));
});

test('a repeated operation, and one that is rejected, add nothing', async () => {
  const post = await content.createPost(call);
  const request = SchedulePostRequest.fromPartial({ operationId: newId(), postId: post.id, scheduledPublishTime: soon(2) });
  await content.client.schedulePost(request, call);
  await content.client.schedulePost(request, call);
  const edit = UpdatePostRequest.fromPartial({ operationId: newId(), postId: post.id, updateMask: ['caption'], expectedRevisions: [77] });
  await expect(content.client.updatePost(edit, call)).rejects.toMatchObject({ code: 'precondition_failed' });
  const rejected = ReviewPostRequest.fromPartial({ operationId: newId(), postId: post.id, decision: 'REVIEW_DECISION_APPROVE' });
  await expect(content.client.reviewPost(rejected, call)).rejects.toMatchObject({ code: 'conflict' });
  expect((await entriesOf(post.id)).map(({ kind }) => kind)).toEqual(['created', 'scheduled', 'at_risk']);
});

test('has a publication by a call, its accounts and its end', async () => {
  const [integrationId = ''] = await content.connect(call, ['x']);
  const { id } = await content.createPost(call);
  const publicationId = newId();
  const published = await content.publishPost(call, id, { publicationId });
  const deliveryId = published.publishResults[0]?.deliveryId ?? '';
  const changes = ['DELIVERY_STATUS_PROCESSING', 'DELIVERY_STATUS_SUCCESS'] as const;
  await content.emitDeliveries(
    published,
    changes.map((status, index) => ({ deliveryId, revision: index + 1, status, publishedAt: new Date() })),
  );
  await eventually(async () => (await entriesOf(id)).length === 3);
  const target = { platform: 'x', integration_id: integrationId, delivery_id: deliveryId };
  expect(await kindsAndDetails(id)).toEqual([
    ['created', { status: 'NEW' }],
    ['claimed', { publication_id: publicationId, due_at: expect.any(String) as string, targets: [target] }],
    ['publication_ended', { status: 'PUBLISHED', succeeded: 1, failed: 0 }],
  ]);
  const [, claimed, ended] = await entriesOf(id);
  expect(claimed).toMatchObject({ actor: call.call.metadata.actor, requestId: call.call.metadata.requestId });
  expect(ended).toMatchObject({ actor: 'system:publisher', requestId: '' });
});

test('has claims of due posts, of posts that cannot be sent, and the next post of a series', async () => {
  const [integrationId = ''] = await content.connect(call, ['x']);
  const without = aBusiness();
  const at = new Date(Date.now() - 1_000);
  const due = aScheduledPost(call, at, { repeating_cron: '0 9 * * *' });
  const impossible = aScheduledPost(without, at);
  await content.posts.insertMany([due, impossible]);
  await eventually(
    async () => (await content.posts.countDocuments({ _id: { $in: [due._id, impossible._id] }, ledger: { $exists: true } })) === 2,
  );
  expect(await kindsAndDetails(due._id)).toEqual([
    [
      'claimed',
      {
        publication_id: expect.any(String) as string,
        due_at: at.toISOString(),
        targets: [expect.objectContaining({ platform: 'x', integration_id: integrationId }) as object],
      },
    ],
  ]);
  expect((await entriesOf(due._id))[0]).toMatchObject({ actor: 'system:content', requestId: '' });
  expect((await entriesOf(impossible._id, without)).map(({ kind, details }) => [kind, details?.['error_type']])).toEqual([
    ['not_sent', 'permission_denied'],
  ]);
  const next = await content.posts.findOne({ series_id: due._id });
  expect(await kindsAndDetails(next?._id ?? '')).toEqual([
    ['created', { status: 'SCHEDULED', scheduled_publish_time: next?.scheduled_publish_time?.toISOString(), series_id: due._id }],
  ]);
});

test('pages continue after a position', async () => {
  const post: Post = await content.createPost(call);
  for (const caption of ['1', '2', '3', '4']) await update(post, { updateMask: ['caption'], caption });
  const all = (await entriesOf(post.id)).map(({ id }) => id);
  const found: string[] = [];
  for (let after: { at: Date | undefined; id: string } | undefined; ;) {
    const { entries } = await content.client.listEntries({ postId: post.id, after, pageSize: 2 }, call);
    if (entries.length === 0) break;
    found.push(...entries.map(({ id }) => id));
    after = entries.at(-1);
  }
  expect(found).toEqual(all);
  expect(all).toHaveLength(5);
});

test('all posts of a business with a timeline are listed, also deleted ones, and none of another business', async () => {
  const first = await content.createPost(call);
  await content.createPost(aBusiness(call.call.metadata.organizationId));
  const second = await content.createPost(call);
  await remove(second);
  const list = (afterId: string) => content.client.listTimelines({ afterId }, call);
  expect(await list('')).toEqual({ postIds: [first.id, second.id], nextAfterId: '' });
  expect((await list(first.id)).postIds).toEqual([second.id]);
});

test('others cannot read it', async () => {
  const { id } = await content.createPost(call);
  const { organizationId } = call.call.metadata;
  for (const other of [aBusiness(), aBusiness(organizationId)]) {
    await expect(entriesOf(id, other)).rejects.toMatchObject({ code: 'resource_not_found' });
  }
});

test('posts of an older version begin with their next change, and responses do not show the chain', async () => {
  const old = aScheduledPost(call, soon(2));
  await content.posts.insertOne(old);
  await update({ id: old._id } as Post, { updateMask: ['caption'], caption: 'New' });
  expect((await kindsAndDetails(old._id)).map(([kind]) => kind)).toContain('edited');
  const stored = await content.posts.findOne({ _id: old._id });
  expect(stored?.ledger).toMatchObject({ n: (await entriesOf(old._id)).length });
});

describe('verification', () => {
  const verify = async (postId?: string) => {
    // The first one of each chain, as operators see it.
    const problems = new Map<string, (string | number)[]>();
    for (let pageToken: string | undefined; pageToken !== '';) {
      const page = await content.client.verifyLedger({ organizationId: undefined, postId, pageToken: pageToken ?? '' }, call);
      for (const { chain, position, problem } of page.problems) if (!problems.has(chain)) problems.set(chain, [chain, position, problem]);
      pageToken = page.nextPageToken;
    }
    return [...problems.values()];
  };
  const ledger = () => content.db.collection<{ _id: string; n: number; chain: string }>('ledger');

  test('finds nothing in what the service writes, and names what was changed or deleted in the database', async () => {
    const [changed, shortened, deleted] = [await content.createPost(call), await content.createPost(call), await content.createPost(call)];
    for (const post of [changed, shortened, deleted]) await update(post, { updateMask: ['caption'], caption: 'New' });
    expect(await verify()).toEqual([]);
    await ledger().updateOne({ chain: changed.id, n: 1 }, { $set: { at: new Date() } });
    await ledger().deleteOne({ chain: shortened.id, n: 2 });
    await ledger().deleteMany({ chain: deleted.id });
    expect(await verify(changed.id)).toEqual([[changed.id, 1, 'changed']]);
    expect(await verify(shortened.id)).toEqual([[shortened.id, 2, 'missing']]);
    expect(await verify(deleted.id)).toEqual([[deleted.id, 2, 'missing']]);
    expect((await verify()).toSorted()).toEqual(
      [
        [changed.id, 1, 'changed'],
        [shortened.id, 2, 'missing'],
        [deleted.id, 2, 'missing'],
      ].toSorted(),
    );
  });
});
