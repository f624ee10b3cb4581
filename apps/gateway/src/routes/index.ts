import type { Route } from '../route.ts';
import { listBusinesses } from './businesses.ts';
import { getHealth } from './health.ts';
import { listIntegrations } from './integrations.ts';
import { importMedia, uploadMedia } from './media.ts';
import { createPost, getPost, listPosts, publishPost } from './posts.ts';

/** The whole API. */
export const routes: readonly Route[] = [
  listBusinesses,
  createPost,
  listPosts,
  getPost,
  publishPost,
  listIntegrations,
  uploadMedia,
  importMedia,
  getHealth,
];
