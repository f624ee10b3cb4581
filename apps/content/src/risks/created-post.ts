import type { Db } from 'mongodb';
import { createdAs, withRisk, type Cause, type ChangedPost } from '../events.ts';
import type { PostDocument } from '../posts/post.ts';
import { notedRisks } from './noted-risks.ts';

/** A new post with what its first event reports: that it was created, and the risks that it has from the beginning. */
export async function createdPost(db: Db, given: PostDocument, cause: Cause): Promise<ChangedPost> {
  const { post, risks, isNew } = await notedRisks(db, undefined, given);
  return { post, risks, changes: withRisk(createdAs(post), isNew), cause };
}
