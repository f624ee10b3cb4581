import { releaseBlob } from '../blobs/store/blob-rows.ts';
import type { Context } from '../context.ts';
import { deleteArchive, findExpiredArchives, type ArchiveDocument } from './store/archives.ts';

/** Deletes archives that have expired. Their bytes follow a day later, as those of media do, so that running downloads finish. Returns how many it processed. */
export async function sweepArchives(context: Context, limit: number): Promise<number> {
  return dropArchives(context, await findExpiredArchives(context.db, limit));
}

export async function dropArchives({ db, transact }: Context, archives: readonly ArchiveDocument[]): Promise<number> {
  for (const { _id, blob_id: blobId, organization_id: organizationId, size_bytes: sizeBytes } of archives) {
    await transact(async (session) => {
      if (await deleteArchive(db, _id, session)) await releaseBlob(db, { blobId, organizationId, sizeBytes }, session);
    });
  }
  return archives.length;
}
