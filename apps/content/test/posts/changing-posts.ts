import { ReviewPostRequest, SchedulePostRequest, UpdatePostRequest, type Post, type PostStatus } from '@fanfare/contracts/content';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import type { Call, TestContent } from '../running-content.ts';

type Given<T extends { fromPartial(value: never): unknown }> = Parameters<T['fromPartial']>[0];

/** Creates posts in every state and changes them in every way, with the call of the current test. */
export function changingPosts(on: { readonly content: TestContent; readonly call: Call }) {
  const soon = (hours = 1) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * 3600_000);
  const scheduled = (more = {}) => ({ status: 'POST_STATUS_SCHEDULED' as const, scheduledPublishTime: soon(), ...more });

  const update = async (post: Post, more: Given<typeof UpdatePostRequest>) =>
    need(
      (await on.content.client.updatePost(UpdatePostRequest.fromPartial({ operationId: newId(), postId: post.id, ...more }), on.call)).post,
    );
  const schedule = async (post: Post, more: Given<typeof SchedulePostRequest> = {}) =>
    need(
      (
        await on.content.client.schedulePost(
          SchedulePostRequest.fromPartial({ operationId: newId(), postId: post.id, scheduledPublishTime: soon(2), ...more }),
          on.call,
        )
      ).post,
    );
  const target = (post: Post, more: { operationId?: string; expectedRevisions?: number[] } = {}) => ({
    operationId: newId(),
    postId: post.id,
    expectedRevisions: [],
    ...more,
  });
  const unschedule = async (post: Post, more = {}) => need((await on.content.client.unschedulePost(target(post, more), on.call)).post);
  const review = async (post: Post, more: Given<typeof ReviewPostRequest> = {}) =>
    need(
      (
        await on.content.client.reviewPost(
          ReviewPostRequest.fromPartial({ operationId: newId(), postId: post.id, decision: 'REVIEW_DECISION_APPROVE', ...more }),
          on.call,
        )
      ).post,
    );
  const remove = (post: Post, more = {}) => on.content.client.deletePost(target(post, more), on.call);
  const need = (post: Post | undefined): Post => post ?? fail('No post.');
  const fail = (why: string): never => {
    throw new Error(why);
  };
  /** Every way to change a post, without expected revisions. */
  const CHANGES: readonly (readonly [string, (post: Post, more?: object) => Promise<unknown>])[] = [
    ['update', (post, more) => update(post, { updateMask: ['caption'], caption: 'New', ...more })],
    ['schedule', schedule],
    ['unschedule', unschedule],
    ['review', review],
    ['delete', remove],
  ];

  /** A post in the given state. */
  async function inState(state: string): Promise<Post> {
    const publish = async (more = {}) => {
      await on.content.connect(on.call, ['x']);
      return on.content.publishPost(on.call, (await on.content.createPost(on.call, more)).id);
    };
    switch (state) {
      case 'SCHEDULED':
        return on.content.createPost(on.call, scheduled());
      case 'being sent':
        return publish();
      case 'SCHEDULED, being sent':
        return publish(scheduled());
      case 'PUBLISHED': {
        const post = await publish();
        return emitResult(post, { status: 'DELIVERY_STATUS_SUCCESS', publishedAt: new Date() });
      }
      case 'failed': {
        const post = await publish({ status: 'POST_STATUS_DRAFT' });
        return emitResult(post, { status: 'DELIVERY_STATUS_FAILED' });
      }
      default:
        return on.content.createPost(on.call, { status: `POST_STATUS_${state}` as PostStatus });
    }
  }
  async function emitResult(post: Post, result: object): Promise<Post> {
    await on.content.emitDeliveries(post, [{ deliveryId: post.publishResults[0]?.deliveryId ?? '', revision: 2, ...result }]);
    return eventually(async () => {
      const now = await on.content.getPost(on.call, post.id);
      return now.publishResults.every(({ status }) => /SUCCESS|FAILED/.test(status)) && now;
    });
  }

  return { soon, scheduled, update, schedule, unschedule, review, remove, need, CHANGES, inState, emitResult };
}
