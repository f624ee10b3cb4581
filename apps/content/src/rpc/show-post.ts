import { setImmediate } from 'node:timers/promises';
import type { Post, Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { isWaiting, risksOf } from '../domain/risks-of.ts';
import { listBusinessIntegrations } from '../store/integrations.ts';
import { toPost, type PostDocument } from '../store/posts.ts';

/** A post as callers see it, with what puts it at risk now. */
export async function showPost(db: Db, post: PostDocument): Promise<Post> {
  return toPost(post, risksOf(post, isWaiting(post) ? await listBusinessIntegrations(db, post.business_id) : []));
}

/** What puts posts of one business at risk now, in their order. */
export async function risksOfEach(db: Db, businessId: string, posts: readonly PostDocument[]): Promise<Risk[][]> {
  const integrations = posts.some(isWaiting) ? await listBusinessIntegrations(db, businessId) : [];
  const risks: Risk[][] = [];
  for (const post of posts) {
    risks.push(risksOf(post, integrations));
    // Counting a very long text takes a while, and others wait meanwhile.
    if (isWaiting(post)) await setImmediate();
  }
  return risks;
}
