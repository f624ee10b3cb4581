import type { Witness } from '@fanfare/ledger';
import type { Db } from 'mongodb';
import { posts } from './posts.ts';

/** The last entries of the timelines of posts, as the posts name them; of deleted posts too. */
export async function findTimelineHeads(db: Db, ids: readonly string[]): Promise<Witness[]> {
  const found = await posts(db)
    .find({ _id: { $in: [...ids] }, ledger: { $exists: true } }, { projection: { organization_id: 1, ledger: 1 } })
    .toArray();
  return found.flatMap(({ _id, organization_id: organizationId, ledger }) =>
    ledger ? [{ organizationId, postId: _id, chain: _id, ...ledger }] : [],
  );
}
