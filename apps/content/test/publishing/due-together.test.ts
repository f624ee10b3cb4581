import { fork } from 'node:child_process';
import path from 'node:path';
import { SchedulePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { Binary } from 'mongodb';
import type { PostDocument } from '../../src/posts/post.ts';
import { claimDuePosts } from '../../src/publishing/claim-due-posts.ts';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

/** Far enough in the future that the due loop does not claim them: the test claims them itself. */
const inAnHour = () => new Date(Date.now() + 3600_000);
const ago = (ms: number) => new Date(Date.now() - ms);
const TOGETHER = 8;

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  await content.connect(call, ['x']);
});

async function scheduled(count: number, at: Date, more: Partial<PostDocument> = {}) {
  const posts = Array.from({ length: count }, () => aScheduledPost(call, at, more));
  await content.posts.insertMany(posts);
  return posts;
}
const claim = (posts: readonly PostDocument[], context = content.context) =>
  claimDuePosts(
    context,
    posts.map((post) => ({ ...post, bytes: 0 })),
  );
const stored = (posts: readonly PostDocument[]) =>
  content.posts
    .find({ _id: { $in: posts.map(({ _id }) => _id) } })
    .sort({ _id: 1 })
    .toArray();
const isClaimed = (post: PostDocument) => post.next_due_at === undefined;
/** Each post has exactly one publication request. A later event on the topic proves that no other follows. */
async function expectOnePublicationEach(posts: readonly PostDocument[]) {
  const [last] = await scheduled(1, ago(1));
  await eventually(() => [...posts, last!].every(({ _id }) => content.publicationsOf(_id).length > 0));
  expect(posts.map(({ _id }) => content.publicationsOf(_id).length)).toEqual(posts.map(() => 1));
}

test('posts that are due together are claimed in one transaction, each with its event, its publication request and its successor in the series', async () => {
  // The check of the posts of the business, after its account was connected, uses transactions too.
  const unchecked = { business_id: call.call.metadata.businessId, is_told: { $ne: true } };
  await eventually(async () => (await content.db.collection('risk_checks').countDocuments(unchecked)) === 0);
  const posts = [...(await scheduled(TOGETHER, inAnHour())), ...(await scheduled(2, inAnHour(), { repeating_cron: '0 9 * * *' }))];
  // Of this claim only: the service checks the risks of the same posts meanwhile.
  const transact = jest.fn(content.context.transact);
  await claim(posts, { ...content.context, transact: transact as typeof content.context.transact });
  expect(transact).toHaveBeenCalledTimes(1);
  for (const post of await stored(posts)) {
    expect(post).toMatchObject({ revision: 2, publish_results: [{ platform: 'x', status: 'PUBLISH_RESULT_STATUS_PENDING' }] });
    expect(isClaimed(post)).toBe(true);
    await eventually(() => content.changesOf(post._id).length > 0);
    expect(content.changesOf(post._id)).toMatchObject([{ revision: 2, changes: ['POST_CHANGE_CLAIMED'] }]);
  }
  const series = posts.slice(TOGETHER).map(({ _id }) => _id);
  const next = await content.posts.find({ series_id: { $in: series } }).toArray();
  expect(next.map(({ series_id }) => series_id).sort()).toEqual([...series].sort());
  await expectOnePublicationEach(posts);
  await claim(posts);
  await expectOnePublicationEach(posts);
});

test('a post without targets returns to its previous status, and the others are claimed', async () => {
  const [nowhere] = await scheduled(1, inAnHour(), { restrict_publish_to: ['tiktok'] });
  const posts = await scheduled(TOGETHER, inAnHour());
  await claim([...posts.slice(0, 3), nowhere!, ...posts.slice(3)]);
  expect((await stored(posts)).every(isClaimed)).toBe(true);
  const [after] = await stored([nowhere!]);
  expect(after).toMatchObject({
    status: 'POST_STATUS_NEW',
    publish_results: [{ platform: 'tiktok', status: 'PUBLISH_RESULT_STATUS_FAILED' }],
  });
  // The check of the posts of the business, after its account was connected, may find this one first.
  const changes = () => content.changesOf(nowhere!._id).filter((event) => !event.changes.includes('POST_CHANGE_AT_RISK'));
  await eventually(() => changes().length > 0);
  expect(changes()).toMatchObject([{ changes: ['POST_CHANGE_CLAIMED', 'POST_CHANGE_ENDED'] }]);
});

test('a post that was moved, deleted or published since it was found due is skipped, and the others are claimed', async () => {
  const posts = await scheduled(TOGETHER, inAnHour());
  const [moved, deleted, sent] = posts;
  const to = new Date(inAnHour().getTime() + 3600_000);
  await content.client.schedulePost(
    SchedulePostRequest.fromPartial({ operationId: newId(), postId: moved?._id ?? '', scheduledPublishTime: to }),
    call,
  );
  await content.client.deletePost({ operationId: newId(), postId: deleted?._id ?? '', expectedRevisions: [] }, call);
  await content.publishPost(call, sent?._id ?? '');
  await claim(posts);
  expect((await stored(posts.slice(0, 1)))[0]).toMatchObject({ next_due_at: to, publish_results: [] });
  expect((await stored(posts.slice(1, 2)))[0]).toMatchObject({ publish_results: [] });
  expect((await stored(posts.slice(3))).every(isClaimed)).toBe(true);
  await expectOnePublicationEach(posts.slice(2));
  expect(posts.slice(0, 2).flatMap(({ _id }) => content.publicationsOf(_id))).toEqual([]);
});

test('a post that is being edited does not delay the others, and is published as edited', async () => {
  const posts = await scheduled(TOGETHER, new Date(Date.now() + 2_000), { caption: 'Before' });
  const [edited, ...others] = posts as [PostDocument, ...PostDocument[]];
  await content.context.mongo.client.withSession(async (session) => {
    session.startTransaction();
    await content.posts.updateOne({ _id: edited._id }, { $set: { caption: 'After', revision: 2 } }, { session });
    await eventually(async () => (await stored(others)).every(isClaimed));
    expect((await stored([edited])).map(isClaimed)).toEqual([false]);
    await session.commitTransaction();
  });
  await eventually(async () => (await stored([edited])).every(isClaimed));
  await expectOnePublicationEach(posts);
  expect(content.publicationsOf(edited._id)).toMatchObject([{ snapshot: { caption: 'After' } }]);
  expect(await stored([edited])).toMatchObject([{ revision: 3 }]);
});

test('a post that cannot be claimed does not delay the others', async () => {
  // A document that no version of this service writes.
  const broken = { ...aScheduledPost(call, ago(60_000)), platform_overrides: null } as never as PostDocument;
  const others = Array.from({ length: TOGETHER }, () => aScheduledPost(call, ago(1_000)));
  await content.posts.insertMany([broken, ...others]);
  await eventually(async () => (await stored(others)).every(isClaimed));
  expect((await stored([broken])).map(isClaimed)).toEqual([false]);
  await content.posts.deleteOne({ _id: broken._id });
  await expectOnePublicationEach(others);
});

test.each(['before', 'after'] as const)(
  'a process that is killed %s the commit of its claims leaves all of them, or none',
  async (dies) => {
    const posts = await scheduled(TOGETHER, inAnHour());
    const ids = posts.map(({ _id }) => _id);
    const argument = JSON.stringify({ env: content.env, ids, dies });
    const child = fork(path.join(import.meta.dirname, 'claims-that-die.ts'), [argument], { execPath: process.execPath, execArgv: [] });
    let lsid = '';
    child.on('message', (id) => (lsid = id as string));
    expect(await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))).toBe('SIGKILL');
    expect((await stored(posts)).map(isClaimed)).toEqual(posts.map(() => dies === 'after'));
    await content.db.command({ killSessions: [{ id: new Binary(Buffer.from(lsid, 'hex'), Binary.SUBTYPE_UUID) }] });
    await claim(posts);
    expect((await stored(posts)).every((post) => isClaimed(post) && post.revision === 2)).toBe(true);
    await expectOnePublicationEach(posts);
  },
);
