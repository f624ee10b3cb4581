import type { Db } from 'mongodb';
import { findDuePosts, type DuePost } from '../posts/store/posts.ts';

const BATCH = 100;
/** The share of an organization in a round if many have due posts, so that its thousands of posts do not delay a single post of another. */
const PER_ORGANIZATION = 10;

/** The posts to claim in this round, without the excluded ones: one of each organization in turn, the longest due first. */
export async function findRound(db: Db, exceptPosts: readonly string[]): Promise<DuePost[]> {
  const byOrganization = new Map<string, DuePost[]>();
  for (;;) {
    const found = await findDuePosts(db, { organizations: [...byOrganization.keys()], posts: exceptPosts }, BATCH);
    for (const [organization, posts] of Map.groupBy(found, ({ organization_id }) => organization_id))
      byOrganization.set(organization, posts);
    if (found.length < BATCH) break;
  }
  const share = Math.max(PER_ORGANIZATION, Math.floor(BATCH / Math.max(1, byOrganization.size)));
  const shares = [...byOrganization.values()].map((posts) => posts.slice(0, share));
  return Array.from({ length: share }, (_, turn) => shares.flatMap((posts) => posts[turn] ?? [])).flat();
}
