import type { PostStatus } from '@fanfare/contracts/content';
import { changingPosts } from './changing-posts.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { schedule, unschedule, review, CHANGES, inState } = changingPosts(on);

describe('the status of a post', () => {
  test.each([
    ['NEW', 'review', 'POST_STATUS_DRAFT'],
    ['DRAFT', 'review', 'POST_STATUS_DRAFT'],
    ['REJECTED', 'review', 'POST_STATUS_DRAFT'],
    ['failed', 'review', 'POST_STATUS_DRAFT'],
    ['SCHEDULED', 'review', 'conflict'],
    ['PUBLISHED', 'review', 'conflict'],
    ['NEW', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['DRAFT', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['REJECTED', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['failed', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['SCHEDULED', 'schedule', 'POST_STATUS_SCHEDULED'],
    ['PUBLISHED', 'schedule', 'conflict'],
    ['SCHEDULED', 'unschedule', 'POST_STATUS_NEW'],
    ['NEW', 'unschedule', 'conflict'],
    ['DRAFT', 'unschedule', 'conflict'],
    ['PUBLISHED', 'unschedule', 'conflict'],
    ['NEW', 'update', 'POST_STATUS_NEW'],
    ['REJECTED', 'update', 'POST_STATUS_REJECTED'],
    ['SCHEDULED', 'update', 'POST_STATUS_SCHEDULED'],
    ['PUBLISHED', 'update', 'POST_STATUS_PUBLISHED'],
    ['failed', 'update', 'POST_STATUS_DRAFT'],
  ])('%s, by %s: %s', async (state, name, after) => {
    const post = await inState(state);
    const change = CHANGES.find(([one]) => one === name)?.[1] ?? fail(name);
    if (after.startsWith('POST_STATUS_')) expect(await change(post)).toMatchObject({ status: after, revision: post.revision + 1 });
    else {
      await expect(change(post)).rejects.toMatchObject({ code: after });
      expect(await content.getPost(call, post.id)).toEqual(post);
    }
  });

  test.each(CHANGES)('does not change while the post is being published: %s is rejected', async (_name, change) => {
    for (const state of ['being sent', 'SCHEDULED, being sent']) {
      const post = await inState(state);
      await expect(change(post)).rejects.toMatchObject({ code: 'conflict' });
      expect(await content.getPost(call, post.id)).toEqual(post);
    }
  });

  test.each(['DRAFT', 'REJECTED'])('is %s again after unscheduling, and the post has no time', async (verdict) => {
    const waiting = await schedule(await content.createPost(call, { status: `POST_STATUS_${verdict}` as PostStatus }));
    expect(await unschedule(waiting)).toMatchObject({ status: `POST_STATUS_${verdict}`, scheduledPublishTime: undefined });
    expect(await content.posts.findOne({ _id: waiting.id })).not.toHaveProperty('next_due_at');
  });

  test('has the note of the last review', async () => {
    const post = await content.createPost(call);
    const rejected = await review(post, { decision: 'REVIEW_DECISION_REJECT', note: 'Too long.' });
    expect(rejected).toMatchObject({ status: 'POST_STATUS_REJECTED', reviewNote: 'Too long.' });
    expect(await review(rejected)).toMatchObject({ status: 'POST_STATUS_DRAFT', reviewNote: undefined });
    await expect(review(post, { decision: 'REVIEW_DECISION_UNSPECIFIED' })).rejects.toMatchObject({ code: 'missing_field' });
  });
});
