import { eventually } from '@fanfare/testing';
import { aBusiness, aScheduledPost, startContent, type TestContent } from '../running-content.ts';

let content: TestContent;
beforeAll(async () => {
  content = await startContent({ instances: 2, settings: { LATE_AFTER_MS: '2000' } });
});
afterAll(() => content.stop());

const ago = (ms: number) => new Date(Date.now() - ms);
const connected = async (platforms = ['x']) => {
  const call = aBusiness();
  await content.connect(call, platforms);
  return call;
};
const claimed = (id: string) =>
  eventually(async () => {
    const post = await content.posts.findOne({ _id: id });
    return post?.next_due_at === undefined && (post ?? false);
  });

test('due posts are claimed once by two replicas', async () => {
  const call = await connected();
  const posts = Array.from({ length: 60 }, () => aScheduledPost(call, ago(1_000)));
  await content.posts.insertMany(posts);
  for (const { _id } of posts) {
    expect(await claimed(_id)).toMatchObject({
      revision: 2,
      status: 'POST_STATUS_SCHEDULED',
      publish_results: [{ status: 'PUBLISH_RESULT_STATUS_PENDING' }],
    });
  }
  await eventually(() => posts.every(({ _id }) => content.publicationsOf(_id).length > 0));
  const last = aScheduledPost(call, ago(1));
  await content.posts.insertOne(last);
  await eventually(() => content.publicationsOf(last._id).length > 0);
  expect(posts.map(({ _id }) => content.publicationsOf(_id).length)).toEqual(posts.map(() => 1));
});

test('a post that is scheduled while the loop sleeps is claimed at its time, not before', async () => {
  const call = await connected();
  const at = new Date(Date.now() + 3_000);
  const post = await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at });
  expect(post).toMatchObject({ status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at, publishResults: [] });
  const after = await claimed(post.id);
  expect(after.updated_at.getTime()).toBeGreaterThanOrEqual(at.getTime());
  const [request] = await eventually(() => content.publicationsOf(post.id).length > 0 && content.publicationsOf(post.id));
  expect(request?.dueAt).toEqual(at);
});

test('many due posts of one organization do not delay one of another organization', async () => {
  const [big, small] = [await connected(), await connected()];
  const flood = Array.from({ length: 30 }, (_, index) => aScheduledPost(big, ago(60_000 - index)));
  const one = aScheduledPost(small, ago(1_000));
  await content.posts.insertMany([...flood, one]);
  for (const { _id } of [...flood, one]) await claimed(_id);
  const { updated_at: at } = await claimed(one._id);
  const earlier = await content.posts.countDocuments({ _id: { $in: flood.map(({ _id }) => _id) }, updated_at: { $lt: at } });
  // In the first round, after at most ten posts of the other organization for each of the two replicas. Posts of one transaction have the same time.
  expect(earlier).toBeLessThanOrEqual(20);
});

test('a post that cannot be published returns to its previous status, has a failure, and is no longer due', async () => {
  const call = await connected(['facebook']);
  const post = aScheduledPost(call, ago(1_000), { restrict_publish_to: ['x', 'tiktok'], verdict: 'POST_STATUS_DRAFT' });
  await content.posts.insertOne(post);
  const after = await claimed(post._id);
  expect(after).toMatchObject({
    status: 'POST_STATUS_DRAFT',
    publish_results: [
      { platform: 'x', status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'permission_denied' },
      { platform: 'tiktok', status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'permission_denied' },
    ],
  });
  expect(after).not.toHaveProperty('scheduled_publish_time');
  expect(content.publicationsOf(post._id)).toEqual([]);
});

test('a post of a business without accounts returns to its previous status and says why', async () => {
  const call = aBusiness();
  const post = aScheduledPost(call, ago(1_000), { created_by: 'user:7' });
  await content.posts.insertOne(post);
  await claimed(post._id);
  const errorType = 'permission_denied';
  const detail = 'No account is connected to this business.';
  expect(await content.getPost(call, post._id)).toMatchObject({
    status: 'POST_STATUS_NEW',
    revision: 2,
    publishResults: [],
    publishStatus: 'PUBLISH_STATUS_FAILED',
    lastFailure: { errorType, detail, at: expect.any(Date) },
  });
  const [change] = await eventually(() => content.changesOf(post._id).length > 0 && content.changesOf(post._id));
  expect(change).toMatchObject({
    changes: ['POST_CHANGE_CLAIMED', 'POST_CHANGE_ENDED'],
    publishStatus: 'PUBLISH_STATUS_FAILED',
    lastFailure: { errorType, detail },
    author: 'user:7',
  });
  await content.connect(call, ['x']);
  expect(await content.publishPost(call, post._id)).toMatchObject({ publishStatus: 'PUBLISH_STATUS_SENDING', lastFailure: undefined });
});

test('publishing a post at the moment when it is due makes one publication', async () => {
  const call = await connected();
  const posts = Array.from({ length: 20 }, () => aScheduledPost(call, new Date(Date.now() + 300)));
  await content.posts.insertMany(posts);
  await Promise.all(posts.map(({ _id }) => content.publishPost(call, _id)));
  for (const { _id } of posts) expect(await claimed(_id)).toMatchObject({ revision: 2, publication_ids: [expect.any(String)] });
  await eventually(() => posts.every(({ _id }) => content.publicationsOf(_id).length === 1));
});

test('a post that cannot be claimed delays neither other posts nor the service, which reports it as late', async () => {
  const call = await connected();
  // A document that no version of this service writes.
  const broken = { ...aScheduledPost(call, ago(2_000)), platform_overrides: null } as never;
  await content.posts.insertOne(broken);
  const others = Array.from({ length: 5 }, () => aScheduledPost(call, ago(1_000)));
  for (const post of others) {
    await content.posts.insertOne(post);
    await claimed(post._id);
  }
  const { health } = content.context;
  await eventually(() => health.workProblems()['late-posts']?.startsWith('the oldest due post has been waiting for'));
  expect(health.callProblems()).toEqual({});
  await content.posts.deleteOne({ _id: (broken as { _id: string })._id });
  await eventually(() => Object.keys(health.problems()).length === 0);
});

test('the backlog reports the age of its oldest post', async () => {
  const backlog = () => content.client.getDueBacklog({}, aBusiness());
  await eventually(async () => (await backlog()).oldestDueAt === undefined);
  await content.createPost(await connected(), { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: new Date(Date.now() + 3600_000) });
  expect(await backlog()).toEqual({ oldestDueAt: undefined });
});
