import type { Route } from '../route.ts';
import { createBusiness, getBusiness, listBusinesses, updateBusiness } from './businesses.ts';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from './categories.ts';
import { getHealth } from './health.ts';
import { listIntegrations } from './integrations.ts';
import { importMedia, uploadMedia } from './media.ts';
import { publishPost, reviewPost, schedulePost, unschedulePost } from './posts-actions.ts';
import { createPost, deletePost, getPost, listPosts, updatePost, validatePost } from './posts.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.ts';

/** The whole API. */
export const routes: readonly Route[] = [
  listBusinesses,
  createBusiness,
  getBusiness,
  updateBusiness,
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  listCategories,
  createCategory,
  getCategory,
  updateCategory,
  deleteCategory,
  createPost,
  listPosts,
  validatePost,
  getPost,
  updatePost,
  deletePost,
  publishPost,
  schedulePost,
  unschedulePost,
  reviewPost,
  listIntegrations,
  uploadMedia,
  importMedia,
  getHealth,
];
