import type { Db } from 'mongodb';
import { findLinkTracking } from '../businesses/store/businesses.ts';
import type { RiskSources } from '../preflight/risks-of.ts';
import { listBusinessIntegrations } from '../targets/store/integrations.ts';

/** Reads the current data that decides whether posts of a business are at risk. */
export async function readRiskSources(db: Db, businessId: string): Promise<RiskSources> {
  const [integrations, linkTracking] = await Promise.all([listBusinessIntegrations(db, businessId), findLinkTracking(db, businessId)]);
  return { integrations, linkTracking };
}
