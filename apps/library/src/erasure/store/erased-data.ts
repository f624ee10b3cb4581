import { deleteSome, ofBusinesses, ofTenant, type Erased } from '@fanfare/erasure';
import type { ClientSession, Db } from 'mongodb';
import type { BlobDocument } from '../../blobs/store/blob-rows.ts';
import type { DerivativeDocument } from '../../derivatives/store/derivatives.ts';
import type { FileDocument, FolderDocument } from '../../documents/store/nodes.ts';
import type { IntakeDocument } from '../../intake/store/intakes.ts';
import type { MediaDocument } from '../../media/store/media.ts';
import type { TusUploadDocument } from '../../uploads/store/tus-uploads.ts';

const media = (db: Db) => db.collection<MediaDocument>('media');
const derivatives = (db: Db) => db.collection<DerivativeDocument>('derivatives');
const blobs = (db: Db) => db.collection<BlobDocument>('blobs');

/** Files that are arriving. */
export const STAGED = ['intakes', 'tus_uploads'] as const;
type Staged = (typeof STAGED)[number];

/** Files that are arriving, and the blob that each owns. A complete upload has given its blob to an intake. */
export async function findStaged(
  db: Db,
  collection: Staged,
  erased: Erased,
  limit: number,
): Promise<{ readonly _id: string; readonly blobId: string | undefined }[]> {
  if (collection === 'intakes') {
    const found = await db.collection<IntakeDocument>('intakes').find(ofTenant(erased)).limit(limit).toArray();
    return found.map(({ _id, staging_blob_id: blobId }) => ({ _id, blobId }));
  }
  const found = await db.collection<TusUploadDocument>('tus_uploads').find(ofTenant(erased)).limit(limit).toArray();
  return found.map(({ _id, blob_id, state }) => ({ _id, blobId: state === 'complete' ? undefined : blob_id }));
}

/** A process that has leased it loses the lease. */
export async function deleteStaged(db: Db, collection: Staged, id: string, session: ClientSession): Promise<void> {
  await db.collection<{ _id: string }>(collection).deleteOne({ _id: id }, { session });
}

/** Deleted ones too. */
export async function findMedia(db: Db, erased: Erased, limit: number): Promise<Pick<MediaDocument, '_id' | 'organization_id'>[]> {
  return media(db)
    .find(ofBusinesses(erased), { projection: { organization_id: 1 } })
    .limit(limit)
    .toArray();
}

/** @returns what was deleted; null if it was deleted before */
export const deleteMedia = (db: Db, id: string, session: ClientSession): Promise<MediaDocument | null> =>
  media(db).findOneAndDelete({ _id: id }, { session });

export async function findDerivatives(db: Db, erased: Erased, limit: number): Promise<string[]> {
  const found = await derivatives(db)
    .find(ofBusinesses(erased), { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

export const deleteDerivative = (db: Db, id: string, session: ClientSession): Promise<DerivativeDocument | null> =>
  derivatives(db).findOneAndDelete({ _id: id }, { session });

/** Queued for media that are deleted: these name no business. */
export async function deleteTranscriptions(db: Db, { organizationId, wholeOrganization }: Erased, limit: number): Promise<number> {
  const transcriptions = db.collection<{ _id: string; organization_id: string }>('transcriptions');
  if (wholeOrganization) return deleteSome(transcriptions, { organization_id: organizationId }, limit);
  const orphans = await transcriptions
    .aggregate<{ _id: string }>([
      { $match: { organization_id: organizationId } },
      { $lookup: { from: 'media', localField: '_id', foreignField: '_id', as: 'media', pipeline: [{ $project: { _id: 1 } }] } },
      { $match: { media: { $size: 0 } } },
      { $limit: limit },
      { $project: { _id: 1 } },
    ])
    .toArray();
  await transcriptions.deleteMany({ _id: { $in: orphans.map(({ _id }) => _id) } });
  return orphans.length;
}

export const deleteReservations = (db: Db, erased: Erased, limit: number): Promise<number> =>
  deleteSome(db.collection('reservations'), ofBusinesses(erased), limit);

/** Deletes files and folders. @returns how many, and what they counted in the storage: deletion marks count no more */
export async function deleteNodes(
  db: Db,
  erased: Erased,
  limit: number,
  session: ClientSession,
): Promise<{ readonly count: number; readonly bytes: number; readonly files: number }> {
  const nodes = db.collection<FolderDocument | FileDocument>('nodes');
  const found = await nodes
    .find(ofBusinesses(erased), { session, projection: { kind: 1, deleted: 1, size_bytes: 1 } })
    .limit(limit)
    .toArray();
  await nodes.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session });
  const counted = found.filter(({ kind, deleted }) => kind === 'file' && !deleted) as FileDocument[];
  return { count: found.length, bytes: counted.reduce((sum, { size_bytes }) => sum + size_bytes, 0), files: counted.length };
}

export const deleteFolderTrees = (db: Db, { businessIds }: Erased, limit: number): Promise<number> =>
  deleteSome(db.collection<{ _id: string }>('folder_trees'), { _id: { $in: [...businessIds] } }, limit);

/** The row of a business's organization stays, and is exact. */
export async function deleteStorage(db: Db, { organizationId, wholeOrganization }: Erased): Promise<number> {
  if (!wholeOrganization) return 0;
  return (await db.collection<{ _id: string }>('storage').deleteOne({ _id: organizationId })).deletedCount;
}

export async function createBlobOrganizationIndex(db: Db): Promise<void> {
  await blobs(db).createIndex({ organization_id: 1, references: 1 }, { name: 'of_organization' });
}

/** Marks blobs without references as collected; of an erased organization, all. No reference can be added any more. @returns some of them */
export async function markErasedBlobs(db: Db, { organizationId, wholeOrganization }: Erased, limit: number): Promise<BlobDocument[]> {
  const found = await blobs(db)
    .find({ organization_id: organizationId, ...(!wholeOrganization && { references: 0 }) })
    .limit(limit)
    .toArray();
  const ids = found.map(({ _id }) => _id);
  const unused = { _id: { $in: ids }, ...(!wholeOrganization && { references: 0 }) };
  await blobs(db).updateMany(unused, [
    { $set: { collected: true, free_since: { $ifNull: ['$free_since', '$$NOW'] } } },
    { $unset: ['sha256'] },
  ]);
  return blobs(db)
    .find({ _id: { $in: ids }, collected: true })
    .toArray();
}
