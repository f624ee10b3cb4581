import type { Db } from 'mongodb';
import { posts } from './posts.ts';

const AT_RISK = { partialFilterExpression: { risks_told: { $exists: true } } };

/** For lists of posts at risk. The indexes contain only posts that note a risk. */
export async function createPostRiskIndexes(db: Db): Promise<void> {
  await posts(db).createIndexes([
    { key: { business_id: 1, created_at: -1, _id: -1 }, name: 'at_risk', ...AT_RISK },
    { key: { business_id: 1, scheduled_publish_time: 1, _id: 1 }, name: 'at_risk_by_scheduled', ...AT_RISK },
  ]);
}

/** Posts that were claimed by a version that left their risks in the row are no longer at risk. */
export async function forgetRisksOfClaimed(db: Db): Promise<void> {
  const claimed = { risks_told: { $exists: true }, next_due_at: { $exists: false }, is_held: { $exists: false } };
  await posts(db).updateMany(claimed, { $unset: { risks_told: '' } }, { hint: 'at_risk' });
}

/** Businesses with posts that wait for their time, with their organizations. Reads one index key for each such post. */
export function waitingBusinesses(db: Db): AsyncIterable<{ _id: string; organization_id: string }> {
  return posts(db).aggregate<{ _id: string; organization_id: string }>(
    [
      { $match: { scheduled_publish_time: { $exists: true } } },
      { $group: { _id: '$business_id', organization_id: { $first: '$organization_id' } } },
    ],
    { hint: 'window' },
  );
}
