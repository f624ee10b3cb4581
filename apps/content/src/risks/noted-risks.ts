import type { Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { riskSourcesOf } from '../posts/current-risks.ts';
import type { PostDocument } from '../posts/post.ts';
import { risksOf } from '../preflight/risks-of.ts';
import { withPromisedQuotas } from '../quotas/promised-quotas.ts';
import { reportedRisks, withReportedRisks } from '../posts/reported-risks.ts';
import type { GivenPlace } from '../queues/follow-queue.ts';

/**
 * Notes the current risks in a post that is about to be saved. Lists find posts at risk by what is noted.
 * @param before the stored post; undefined if it is new
 * @param place where the change puts it in its queue
 * @returns `isNew`: one of the risks was not reported before
 */
export async function notedRisks(
  db: Db,
  before: PostDocument | undefined,
  given: PostDocument,
  place?: GivenPlace,
): Promise<{ readonly post: PostDocument; readonly risks: Risk[]; readonly isNew: boolean }> {
  const sources = await riskSourcesOf(db, given);
  const post = await withPromisedQuotas(db, before, given, sources, place);
  // What was noted a moment ago of promised quotas is not read again.
  const risks = risksOf(post, { ...sources, promised: post.quota_promised ?? [] });
  return { ...withReportedRisks(post, risks, before && reportedRisks(before)), risks };
}
