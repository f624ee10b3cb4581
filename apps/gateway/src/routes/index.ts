import type { Route } from '../route.ts';
import { listAudit } from './audit.ts';
import { createBusiness, getBusiness, listBusinesses, updateBusiness } from './businesses.ts';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from './categories.ts';
import { createFeedback, getFeedback, listFeedback } from './feedback.ts';
import { getHealth } from './health.ts';
import { listIntegrations } from './integrations.ts';
import { createApiKey, deleteKey, getKey, listKeys, rotateApiKey } from './keys.ts';
import { importMedia, uploadMedia } from './media.ts';
import { getOrganization, listOrganizations, updateOrganization } from './organizations.ts';
import { getPlan } from './plans.ts';
import { publishPost, reviewPost, schedulePost, unschedulePost } from './posts-actions.ts';
import { createPost, deletePost, getPost, listPosts, updatePost, validatePost } from './posts.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.ts';
import { getUsage } from './usage.ts';

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
  listKeys,
  createApiKey,
  getKey,
  deleteKey,
  rotateApiKey,
  listOrganizations,
  getOrganization,
  updateOrganization,
  getPlan,
  getUsage,
  listAudit,
  createFeedback,
  listFeedback,
  getFeedback,
  getHealth,
];
