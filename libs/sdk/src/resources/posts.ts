import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import {
  createPost,
  deletePost,
  getPost,
  listPosts,
  publishPost,
  reviewPost,
  schedulePost,
  unschedulePost,
  updatePost,
  validatePost,
} from '../gen/sdk.gen.ts';
import type {
  CreatePost,
  ListPostsData,
  Post,
  PublishPost,
  ReviewPost,
  SchedulePost,
  UnschedulePost,
  UpdatePost,
} from '../gen/types.gen.ts';
import { listing } from '../pages.ts';
import { waitUntilPublished, type WaitOptions } from '../wait-until-published.ts';

type ActOptions = OnceOptions & EditOptions;

export const posts = ({ plain, once, edit, act }: Caller) => ({
  list: (business_id: string, query: ListPostsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listPosts({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } }))),
  get: (business_id: string, post_id: string, options?: CallOptions) =>
    answered(getPost({ ...plain(options), path: { business_id, post_id } })),
  create: (business_id: string, body: CreatePost, options?: OnceOptions) =>
    answered(createPost({ ...once(options), path: { business_id }, body })),
  /** What each platform would say to this post; nothing is saved. */
  validate: (business_id: string, body: CreatePost, options?: CallOptions) =>
    answered(validatePost({ ...plain(options), path: { business_id }, body })),
  update: (business_id: string, post_id: string, body: UpdatePost, options?: EditOptions) =>
    answered(updatePost({ ...edit(options), path: { business_id, post_id }, body })),
  delete: (business_id: string, post_id: string, options?: EditOptions) =>
    answered(deletePost({ ...edit(options), path: { business_id, post_id } })),
  /** Publishes in the background: wait for it with waitUntilPublished. */
  publish: (business_id: string, post_id: string, body: PublishPost = {}, options?: ActOptions) =>
    answered(publishPost({ ...act(options), path: { business_id, post_id }, body })),
  /**
   * Reads the post until each of its publish_results is success or failed, no faster than the rate limits allow. A scheduled post is waited for until
   * its time. A result that failed is no error of this call: look at the results.
   */
  waitUntilPublished: (post: Pick<Post, 'id' | 'business_id'>, options?: WaitOptions) =>
    waitUntilPublished((call) => answered(getPost({ ...plain(call), path: { business_id: post.business_id, post_id: post.id } })), options),
  schedule: (business_id: string, post_id: string, body: SchedulePost, options?: ActOptions) =>
    answered(schedulePost({ ...act(options), path: { business_id, post_id }, body })),
  unschedule: (business_id: string, post_id: string, body: UnschedulePost = {}, options?: ActOptions) =>
    answered(unschedulePost({ ...act(options), path: { business_id, post_id }, body })),
  review: (business_id: string, post_id: string, body: ReviewPost, options?: ActOptions) =>
    answered(reviewPost({ ...act(options), path: { business_id, post_id }, body })),
});
