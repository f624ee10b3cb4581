import { DeletePostRequest, SchedulePostRequest, UpdatePostRequest } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { replacePosts } from '../../src/posts/store/posts.ts';
import { aBusiness, aScheduledPost, startContent, type Call, type TestContent } from '../running-content.ts';

const COUNT = 30;

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent({ instances: 2 });
});
afterAll(() => content.stop());
beforeEach(async () => {
  call = aBusiness();
  await content.connect(call, ['x']);
});

/** Posts that become due in a moment. */
async function aboutToBeDue() {
  const posts = Array.from({ length: COUNT }, (_, index) =>
    aScheduledPost(call, new Date(Date.now() + 150 + 10 * index), { caption: 'Before' }),
  );
  await content.posts.insertMany(posts);
  return posts;
}
/** Runs the change of each post at the moment when it is due, alternating between the replicas. */
const atItsTime = async (posts: readonly { next_due_at?: Date }[], work: (index: number) => Promise<unknown>) =>
  Promise.all(
    posts.map(async ({ next_due_at }, index) => {
      await eventually(() => Date.now() >= (next_due_at?.getTime() ?? 0) - 10);
      return work(index).then(
        () => 'won' as const,
        (error: { code: string }) => error.code,
      );
    }),
  );
const client = (index: number) => content.clients[index % 2] ?? content.client;
const publicationsOf = async (postId: string) => {
  await eventually(() => content.publicationsOf(postId).length > 0);
  return content.publicationsOf(postId);
};

test('an edit at the moment when the post is due is published as a whole, or rejected', async () => {
  const posts = await aboutToBeDue();
  const outcomes = await atItsTime(posts, (index) =>
    client(index).updatePost(
      UpdatePostRequest.fromPartial({ operationId: newId(), postId: posts[index]?._id ?? '', updateMask: ['caption'], caption: 'After' }),
      call,
    ),
  );
  for (const [index, { _id }] of posts.entries()) {
    const sent = await publicationsOf(_id);
    const won = outcomes[index] === 'won';
    expect(sent.map(({ snapshot }) => snapshot?.caption)).toEqual([won ? 'After' : 'Before']);
    expect(await content.posts.findOne({ _id })).toMatchObject({ caption: won ? 'After' : 'Before', revision: won ? 3 : 2 });
    if (!won) expect(outcomes[index]).toBe('conflict');
  }
});

test.each([
  [
    'unscheduled',
    (index: number, postId: string) => client(index).unschedulePost({ operationId: newId(), postId, expectedRevisions: [] }, call),
  ],
  [
    'deleted',
    (index: number, postId: string) => client(index).deletePost(DeletePostRequest.fromPartial({ operationId: newId(), postId }), call),
  ],
  [
    'moved to another time',
    (index: number, postId: string) =>
      client(index).schedulePost(
        SchedulePostRequest.fromPartial({ operationId: newId(), postId, scheduledPublishTime: new Date(Date.now() + 3600_000) }),
        call,
      ),
  ],
])('a post that is %s at the moment when it is due is either that or published, never both', async (_what, change) => {
  const posts = await aboutToBeDue();
  const outcomes = await atItsTime(posts, (index) => change(index, posts[index]?._id ?? ''));
  for (const [index, { _id }] of posts.entries()) if (outcomes[index] !== 'won') await publicationsOf(_id);
  const last = aScheduledPost(call, new Date(Date.now() - 60_000));
  await content.posts.insertOne(last);
  await publicationsOf(last._id);
  for (const [index, { _id }] of posts.entries()) {
    const post = await content.posts.findOne({ _id });
    const won = outcomes[index] === 'won';
    if (!won) expect(outcomes[index]).toBe('conflict');
    expect({ won, sent: content.publicationsOf(_id).length, results: post?.publish_results.length }).toEqual({
      won,
      sent: won ? 0 : 1,
      results: won ? 0 : 1,
    });
  }
});

test('a post that has changed since it was read is not replaced, and neither are others with it', async () => {
  const inAnHour = new Date(Date.now() + 3600_000);
  const [changed, other] = [aScheduledPost(call, inAnHour), aScheduledPost(call, inAnHour)];
  await content.posts.insertMany([changed, other]);
  await content.posts.updateOne({ _id: changed._id }, { $set: { caption: 'Meanwhile', revision: 2 } });
  const replaced = [changed, other].map((before) => ({ before, after: { ...before, caption: 'After', revision: 2 } }));
  await expect(content.context.transact((session) => replacePosts(content.db, replaced, session))).rejects.toThrow(changed._id);
  expect(await content.posts.findOne({ _id: changed._id })).toMatchObject({ caption: 'Meanwhile', revision: 2 });
  expect(await content.posts.findOne({ _id: other._id })).toMatchObject({ caption: other.caption, revision: 1 });
});

test('slow media do not change a post that was claimed in the meantime', async () => {
  const [post] = await aboutToBeDue();
  const id = post?._id ?? '';
  const release = content.library.blockImports();
  const edit = content.client.updatePost(
    UpdatePostRequest.fromPartial({
      operationId: newId(),
      postId: id,
      updateMask: ['media_urls'],
      mediaUrls: ['https://example.com/slow.jpg'],
    }),
    call,
  );
  const rejected = expect(edit).rejects.toMatchObject({ code: 'conflict' });
  const [sent] = await publicationsOf(id);
  release();
  await rejected;
  expect(sent?.snapshot?.media).toEqual([]);
  expect(await content.posts.findOne({ _id: id })).toMatchObject({ media: [], revision: 2 });
});
