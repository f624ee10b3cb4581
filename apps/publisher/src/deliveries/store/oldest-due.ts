import type { Platform } from '@fanfare/connectors';
import type { Db } from 'mongodb';
import type { Paused } from '../../pauses/domain/paused.ts';
import type { DeliveryDocument } from '../delivery.ts';
import { DUE_INDEX, IS_DUE } from './due-deliveries.ts';
import { notPaused } from './not-paused.ts';

/** Of more due deliveries only the oldest are read: what is late is among them. */
const MOST_READ = 10_000;

/** When the oldest due delivery to each platform became due, the oldest first. Without paused ones. Reads only the index. */
export async function findOldestDue(db: Db, paused: Paused): Promise<{ readonly platform: Platform; readonly dueAt: Date }[]> {
  if (paused.everything) return [];
  return db
    .collection<DeliveryDocument>('deliveries')
    .aggregate<{ platform: Platform; dueAt: Date }>(
      [
        {
          $match: {
            open: true,
            ...IS_DUE,
            ...notPaused(paused),
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
