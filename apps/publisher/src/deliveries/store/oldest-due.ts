import type { Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import type { Paused } from '../../pauses/domain/paused.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { DUE_INDEX, IS_DUE } from './due-deliveries.ts';

/** Of more due deliveries only the oldest are read: what is late is among them. */
const MOST_READ = 10_000;

/** When the oldest due delivery to each platform became due, the oldest first. Without paused ones. Reads only the index. */
export async function findOldestDue(
  db: Db,
  { everything, platforms, organizations, integrations }: Paused,
): Promise<{ readonly platform: Platform; readonly dueAt: Date }[]> {
  if (everything) return [];
  return db
    .collection<DeliveryDocument>('deliveries')
    .aggregate<{ platform: Platform; dueAt: Date }>(
      [
        {
          $match: {
            open: true,
            ...IS_DUE,
            ...(platforms.length > 0 && { platform: { $nin: [...platforms] } }),
            ...(organizations.length > 0 && { organization_id: { $nin: [...organizations] } }),
            ...(integrations.length > 0 && { integration_id: { $nin: [...integrations] } }),
          },
        },
        { $sort: { run_at: 1 } },
        { $limit: MOST_READ },
        { $group: { _id: '$platform', dueAt: { $min: '$run_at' } } },
        { $sort: { dueAt: 1 } },
        { $project: { _id: 0, platform: '$_id', dueAt: 1 } },
      ],
      { hint: DUE_INDEX },
    )
    .toArray();
}
