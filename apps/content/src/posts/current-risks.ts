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
    isQueued ? findQueuesOf(db, [businessId]) : NO_RISK_SOURCES.queues,
  ]);
  return { integrations, linkTracking, queues };
}

/** The same for one post. Only if it waits for its time is anything read; concurrent calls share queries. */
export const riskSourcesOf = async (db: Db, post: PostDocument): Promise<RiskSources> =>
  isWaiting(post) ? readRiskSources(db, post.business_id, post.queue_id !== undefined) : NO_RISK_SOURCES;

/** The risks of a post. */
export const currentRisks = async (db: Db, post: PostDocument): Promise<Risk[]> => risksOfWaiting(db, post, await riskSourcesOf(db, post));

/** The risks of a waiting post, with the data of its business. */
export const risksOfWaiting = async (db: Db, post: PostDocument, sources: RiskSources): Promise<Risk[]> =>
  risksOf(post, { ...sources, promised: await stillPromised(db, post, sources) });
