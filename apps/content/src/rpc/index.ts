import type { ContentServiceService } from '@fanfare/contracts/content';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createBusiness } from './create-business.ts';
import { createCategory } from './create-category.ts';
import { createPost } from './create-post.ts';
import { createTopic } from './create-topic.ts';
import { deleteCategory } from './delete-category.ts';
import { deletePost } from './delete-post.ts';
import { deleteTopic } from './delete-topic.ts';
import { findShownMedia } from './find-shown-media.ts';
import { getBusiness } from './get-business.ts';
import { getCategory } from './get-category.ts';
import { getDueBacklog } from './get-due-backlog.ts';
import { getPost } from './get-post.ts';
import { getTopic } from './get-topic.ts';
import { listBusinesses } from './list-businesses.ts';
import { listCategories } from './list-categories.ts';
import { listPosts } from './list-posts.ts';
import { listTargets } from './list-targets.ts';
import { listTopics } from './list-topics.ts';
import { locatePost } from './locate-post.ts';
import { publishPost } from './publish-post.ts';
import { reviewPost } from './review-post.ts';
import { schedulePost } from './schedule-post.ts';
import { unschedulePost } from './unschedule-post.ts';
import { updateBusiness } from './update-business.ts';
import { updateCategory } from './update-category.ts';
import { updatePost } from './update-post.ts';
import { updateTopic } from './update-topic.ts';
import { validatePost } from './validate-post.ts';

export const handlers = (context: Context): Handlers<typeof ContentServiceService> => ({
  createBusiness: createBusiness(context),
  createCategory: createCategory(context),
  createPost: createPost(context),
  createTopic: createTopic(context),
  deleteCategory: deleteCategory(context),
  deletePost: deletePost(context),
  deleteTopic: deleteTopic(context),
  getBusiness: getBusiness(context),
  getCategory: getCategory(context),
  findShownMedia: findShownMedia(context),
  getDueBacklog: getDueBacklog(context),
  getPost: getPost(context),
  getTopic: getTopic(context),
  listBusinesses: listBusinesses(context),
  listCategories: listCategories(context),
  listPosts: listPosts(context),
  listTargets: listTargets(context),
  listTopics: listTopics(context),
  locatePost: locatePost(context),
  publishPost: publishPost(context),
  reviewPost: reviewPost(context),
  schedulePost: schedulePost(context),
  unschedulePost: unschedulePost(context),
  updateBusiness: updateBusiness(context),
  updateCategory: updateCategory(context),
  updatePost: updatePost(context),
  updateTopic: updateTopic(context),
  validatePost: validatePost(context),
});
