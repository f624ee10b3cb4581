import type { Risk } from '@fanfare/contracts/content';
import type { Db } from 'mongodb';
import { findLinkTracking } from '../businesses/store/businesses.ts';
import { NO_RISK_SOURCES, risksOf, type RiskSources } from '../preflight/risks-of.ts';
import { findQueuesOf } from '../queues/store/queues.ts';
import { stillPromised } from '../quotas/promised-quotas.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import { listBusinessIntegrations } from '../targets/store/integrations.ts';
import type { PostDocument } from './post.ts';

/**
 * Reads the current data that decides whether posts of a business are at risk.
 * @param isQueued whether some of them may be in queues
 */
export async function readRiskSources(db: Db, businessId: string, isQueued: boolean): Promise<RiskSources> {
  const [integrations, linkTracking, queues] = await Promise.all([
    listBusinessIntegrations(db, businessId),
    findLinkTracking(db, businessId),
    isQueued ? findQueuesOf(db, businessId) : NO_RISK_SOURCES.queues,
  ]);
  return { integrations, linkTracking, queues };
}

/** The risks of a post. Only for a post that waits for its time does it read anything; concurrent calls share queries. */
export const currentRisks = async (db: Db, post: PostDocument): Promise<Risk[]> =>
  isWaiting(post)
    ? risksOfWaiting(db, post, await readRiskSources(db, post.business_id, post.queue_id !== undefined))
    : risksOf(post, NO_RISK_SOURCES);

/** The risks of a waiting post, with the data of its business. */
export const risksOfWaiting = async (db: Db, post: PostDocument, sources: RiskSources): Promise<Risk[]> =>
  risksOf(post, { ...sources, promised: await stillPromised(db, post, sources.integrations) });
