import { pageOfDocuments, type DocumentPage, type Witness } from '@fanfare/ledger';
import type { Db } from 'mongodb';
import type { PostDocument } from '../post.ts';
import { posts } from './posts.ts';

/** The last entries of the timelines of posts, as the posts name them; of deleted posts too. */
export async function findTimelineHeads(db: Db, ids: readonly string[]): Promise<Witness[]> {
  const found = await posts(db)
    .find({ _id: { $in: [...ids] }, ledger: { $exists: true } }, { projection: HEAD })
    .toArray();
  return found.flatMap(toWitness);
}

/** The same of all posts, page by page. */
export const pageOfTimelineHeads = (db: Db, after: string): Promise<DocumentPage> => pageOfDocuments(posts(db), after, HEAD, toWitness);

const HEAD = { organization_id: 1, ledger: 1 } as const;

const toWitness = ({
  _id,
  organization_id: organizationId,
  ledger,
}: Pick<PostDocument, '_id' | 'organization_id' | 'ledger'>): Witness[] =>
  ledger ? [{ organizationId, postId: _id, chain: _id, ...ledger }] : [];
