import type { Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { readRiskSources } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { NO_RISK_SOURCES, risksOf, type RiskSources } from '../preflight/risks-of.ts';
import { withPromisedQuotas } from '../quotas/promised-quotas.ts';
import { withToldRisks } from '../posts/told-risks.ts';
import { isWaiting } from '../targets/is-waiting.ts';

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
  const risks = risksOf(post, await sourcesOf(db, post));
  return { ...withToldRisks(post, risks, options.told), risks };
}

/** What was noted a moment ago of promised quotas is not read again. */
const sourcesOf = async (db: Db, post: PostDocument): Promise<RiskSources> =>
  isWaiting(post)
    ? { ...(await readRiskSources(db, post.business_id, post.queue_id !== undefined)), promised: post.quota_promised ?? [] }
    : NO_RISK_SOURCES;
