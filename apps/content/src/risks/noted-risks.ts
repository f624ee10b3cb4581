import type { Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { riskSourcesOf } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { risksOf } from '../preflight/risks-of.ts';
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
  const sources = await riskSourcesOf(db, given);
  const post = await withPromisedQuotas(db, given, sources.integrations, options);
  // What was noted a moment ago of promised quotas is not read again.
  const risks = risksOf(post, { ...sources, promised: post.quota_promised ?? [] });
  return { ...withToldRisks(post, risks, options.told), risks };
}
