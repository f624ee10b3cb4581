import type { DocumentPage, Witness } from '@fanfare/ledger';
import type { Db } from 'mongodb';
import type { PostDocument } from '../post.ts';
import { posts } from './posts.ts';

/** The last entries of the timelines of posts, as the posts name them; of deleted posts too. */
export async function findTimelineHeads(db: Db, ids: readonly string[]): Promise<Witness[]> {
  const found = await posts(db)
    .find({ _id: { $in: [...ids] }, ledger: { $exists: true } }, { projection: { organization_id: 1, ledger: 1 } })
    .toArray();
  return found.flatMap(toWitness);
}

const PAGE_SIZE = 2_000;

/** The same of all posts, page by page. */
export async function pageOfTimelineHeads(db: Db, after: string): Promise<DocumentPage> {
  const found = await posts(db)
    .find({ _id: { $gt: after } }, { projection: { organization_id: 1, ledger: 1 } })
    .sort({ _id: 1 })
    .limit(PAGE_SIZE)
    .toArray();
  return { witnesses: found.flatMap(toWitness), nextAfter: found.length < PAGE_SIZE ? undefined : found.at(-1)?._id };
}

const toWitness = ({
  _id,
  organization_id: organizationId,
  ledger,
}: Pick<PostDocument, '_id' | 'organization_id' | 'ledger'>): Witness[] =>
  ledger ? [{ organizationId, postId: _id, chain: _id, ...ledger }] : [];
