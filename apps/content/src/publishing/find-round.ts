import type { Db } from 'mongodb';
import { findDuePosts, type DuePost } from '../posts/store/posts.ts';

const BATCH = 100;
/** One organization alone may fill a round; where many have due posts each has at most this many in it, so that its ten thousand do not delay another's one. */
const PER_ORGANIZATION = 10;

/** Due posts to claim now, without those that are left out: by turns one of each organization, of each the longest due first. */
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
