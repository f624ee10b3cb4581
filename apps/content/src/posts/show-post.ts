import type { Post } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { isWaiting, NO_RISK_SOURCES, risksOf } from '../preflight/risks-of.ts';
import type { PostDocument } from './post.ts';
import { readRiskSources } from './risk-sources.ts';
import { toPost } from './to-post.ts';

/** A post as callers see it, with its current risks. */
export async function showPost(db: Db, post: PostDocument): Promise<Post> {
  return toPost(post, risksOf(post, isWaiting(post) ? await readRiskSources(db, post.business_id) : NO_RISK_SOURCES));
}
