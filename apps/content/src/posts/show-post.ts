import type { Post } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { isWaiting, risksOf } from '../preflight/risks-of.ts';
import { listBusinessIntegrations } from '../targets/store/integrations.ts';
import type { PostDocument } from './post.ts';
import { toPost } from './to-post.ts';

/** A post as callers see it, with what puts it at risk now. */
export async function showPost(db: Db, post: PostDocument): Promise<Post> {
  return toPost(post, risksOf(post, isWaiting(post) ? await listBusinessIntegrations(db, post.business_id) : []));
}
