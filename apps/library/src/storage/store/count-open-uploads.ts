import type { Db } from 'mongodb';
import type { TusUploadDocument } from '../../uploads/store/tus-uploads.ts';

/** The open resumable uploads of an organization, with their full size. */
export async function countOpenUploads(db: Db, organizationId: string): Promise<{ bytes: number; files: number }> {
  const [open] = await db
    .collection<TusUploadDocument>('tus_uploads')
    .aggregate<{ bytes: number; files: number }>([
      { $match: { organization_id: organizationId, state: 'open' } },
      { $group: { _id: null, bytes: { $sum: '$size_bytes' }, files: { $sum: 1 } } },
    ])
    .toArray();
  return { bytes: Number(open?.bytes ?? 0), files: Number(open?.files ?? 0) };
}
