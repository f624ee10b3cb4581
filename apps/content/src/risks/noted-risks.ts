import type { Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { currentRisks } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { withPromisedQuotas } from '../quotas/promised-quotas.ts';
import { withToldRisks } from '../posts/told-risks.ts';

/**
 * Notes the current risks in a post that is about to be saved. Lists find posts at risk by what is noted.
 * @param told the risks that were told before
 */
export async function notedRisks(
  db: Db,
  given: PostDocument,
  options: { readonly isEdited: boolean; readonly told?: readonly string[] },
): Promise<{ readonly post: PostDocument; readonly risks: Risk[]; readonly isNew: boolean }> {
  const post = await withPromisedQuotas(db, given, options);
  const risks = await currentRisks(db, post);
  return { ...withToldRisks(post, risks, options.told), risks };
}
