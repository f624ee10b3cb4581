import type { ContentServiceService } from '@fanfare/contracts/content';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createBusiness } from './create-business.ts';
import { createPost } from './create-post.ts';
import { getBusiness } from './get-business.ts';
import { getDueBacklog } from './get-due-backlog.ts';
import { getPost } from './get-post.ts';
import { listBusinesses } from './list-businesses.ts';
import { listPosts } from './list-posts.ts';
import { listTargets } from './list-targets.ts';
import { publishPost } from './publish-post.ts';

export const handlers = (context: Context): Handlers<typeof ContentServiceService> => ({
  createBusiness: createBusiness(context),
  createPost: createPost(context),
  getBusiness: getBusiness(context),
  getDueBacklog: getDueBacklog(context),
  getPost: getPost(context),
  listBusinesses: listBusinesses(context),
  listPosts: listPosts(context),
  listTargets: listTargets(context),
  publishPost: publishPost(context),
});
