import { CANARY } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { posts } from './posts.ts';

/** Longer than late events and repeated requests need them. */
const KEPT_SECONDS = 35 * 24 * 3_600;

/** The canary deletes half a million posts a year. Unlike those of customers, they are not kept for good. */
export async function createCanaryPostExpiry(db: Db): Promise<void> {
  const ofCanary = { partialFilterExpression: { organization_id: CANARY.organizationId } };
  await posts(db).createIndex({ deleted_at: 1 }, { name: 'canary_expiry', expireAfterSeconds: KEPT_SECONDS, ...ofCanary });
}
