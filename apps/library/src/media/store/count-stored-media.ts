import { transaction } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { MediaDocument } from './media.ts';
import { charge } from '../../storage/store/storage-usage.ts';

const BATCH = 500;

/** Migration: counts media that were stored before there were quotas. Each batch is a transaction, so that no media is counted twice after an interruption. */
export async function countStoredMedia(db: Db): Promise<void> {
  let after = '';
  do after = await transaction(db.client, (session) => countBatch(db, after, session));
  while (after !== '');
}

/** Returns the last id of the batch; empty if there are no more. */
async function countBatch(db: Db, after: string, session: ClientSession): Promise<string> {
  const media = db.collection<MediaDocument>('media');
  const seen = await media
    .find({ _id: { $gt: after } }, { session, projection: { organization_id: 1, size_bytes: 1, charged: 1, deleted: 1 } })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  const uncounted = seen.filter(({ charged, deleted }) => !charged && !deleted);
  const sums = new Map<string, { bytes: number; files: number }>();
  for (const { organization_id, size_bytes } of uncounted) {
    const sum = sums.get(organization_id) ?? { bytes: 0, files: 0 };
    sums.set(organization_id, { bytes: sum.bytes + size_bytes, files: sum.files + 1 });
  }
  for (const [organizationId, sum] of sums) await charge(db, session, organizationId, sum, undefined);
  await media.updateMany({ _id: { $in: uncounted.map(({ _id }) => _id) } }, { $set: { charged: true } }, { session });
  return seen.at(-1)?._id ?? '';
}
