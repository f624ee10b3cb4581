import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createBusiness } from './create-business.ts';
import { createCategory } from './create-category.ts';
import { createPost } from './create-post.ts';
import { createQueue } from './create-queue.ts';
import { createTopic } from './create-topic.ts';
import { deleteCategory } from './delete-category.ts';
import { deletePost } from './delete-post.ts';
import { deleteQueue } from './delete-queue.ts';
import { deleteTopic } from './delete-topic.ts';
import { erase } from './erase.ts';
import { findShownMedia } from './find-shown-media.ts';
import { getBusiness } from './get-business.ts';
import { getCategory } from './get-category.ts';
import { getDueBacklog } from './get-due-backlog.ts';
import { getPost } from './get-post.ts';
import { getQueue } from './get-queue.ts';
import { getTopic } from './get-topic.ts';
import { listBusinesses } from './list-businesses.ts';
import { listCategories } from './list-categories.ts';
import { listEntries } from './list-entries.ts';
import { listPosts } from './list-posts.ts';
import { listQueuePosts } from './list-queue-posts.ts';
import { listQueues } from './list-queues.ts';
import { listTargets } from './list-targets.ts';
import { listTimelines } from './list-timelines.ts';
import { listTopics } from './list-topics.ts';
import { locatePost } from './locate-post.ts';
import { publishPost } from './publish-post.ts';
import { queuePost } from './queue-post.ts';
import { requestPublicationsAgain } from './request-publications-again.ts';
import { reviewPost } from './review-post.ts';
import type { served } from './rpc.ts';
import { schedulePost } from './schedule-post.ts';
import { setClosure } from './set-closure.ts';
import { unpublishPost } from './unpublish-post.ts';
import { unschedulePost } from './unschedule-post.ts';
import { updateBusiness } from './update-business.ts';
import { updateCategory } from './update-category.ts';
import { updatePost } from './update-post.ts';
import { updateQueue } from './update-queue.ts';
import { updateTopic } from './update-topic.ts';
import { validatePost } from './validate-post.ts';
import { verifyLedger } from './verify-ledger.ts';

export const handlers = (context: Context): Handlers<typeof served> => ({
  createBusiness: createBusiness(context),
  createCategory: createCategory(context),
  createPost: createPost(context),
  createQueue: createQueue(context),
  createTopic: createTopic(context),
  deleteCategory: deleteCategory(context),
  deletePost: deletePost(context),
  deleteQueue: deleteQueue(context),
  deleteTopic: deleteTopic(context),
  erase: erase(context),
  getBusiness: getBusiness(context),
  getCategory: getCategory(context),
  findShownMedia: findShownMedia(context),
  getDueBacklog: getDueBacklog(context),
  getPost: getPost(context),
  getQueue: getQueue(context),
  getTopic: getTopic(context),
  listBusinesses: listBusinesses(context),
  listCategories: listCategories(context),
  listEntries: listEntries(context),
  listTimelines: listTimelines(context),
  listPosts: listPosts(context),
  listQueuePosts: listQueuePosts(context),
  listQueues: listQueues(context),
  listTargets: listTargets(context),
  listTopics: listTopics(context),
  locatePost: locatePost(context),
  publishPost: publishPost(context),
  queuePost: queuePost(context),
  requestPublicationsAgain: requestPublicationsAgain(context),
  reviewPost: reviewPost(context),
  schedulePost: schedulePost(context),
  setClosure: setClosure(context),
  unpublishPost: unpublishPost(context),
  unschedulePost: unschedulePost(context),
  updateBusiness: updateBusiness(context),
  updateCategory: updateCategory(context),
  updatePost: updatePost(context),
  updateQueue: updateQueue(context),
  updateTopic: updateTopic(context),
  validatePost: validatePost(context),
  verifyLedger: verifyLedger(context),
});
