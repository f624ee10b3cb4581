import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { blobsAfter, isKept, type BlobDocument } from './store/blob-rows.ts';
import type { BlobStore } from './store/blob-store.ts';
import { countUnsealed } from './store/grid-fs.ts';

const BATCH = 100;

/**
 * Copies all blobs that are kept from GridFS to another store, and returns how many it copied. What was copied by an earlier run is passed
 * over; nothing is taken away. Until `unsealed` is 0 uploads are under way that began in GridFS: they are copied by a later run.
 */
export async function moveBlobs({
  db,
  from,
  to,
  log,
}: {
  db: Db;
  from: BlobStore;
  to: BlobStore;
  log: Logger;
}): Promise<{ copied: number; unsealed: number }> {
  let [copied, seen, last] = [0, 0, ''];
  for (;;) {
    const batch = await blobsAfter(db, last, BATCH);
    for (const row of batch) {
      if (await copy(row)) copied++;
      last = row._id;
    }
    seen += batch.length;
    if (batch.length < BATCH) break;
    log.info({ seen, copied }, 'moving blobs');
  }
  const unsealed = await countUnsealed(db);
  log.info(
    { seen, copied, unsealed },
    unsealed === 0 ? 'all blobs are moved' : 'all completed blobs are moved; run again when the uploads in progress are complete',
  );
  return { copied, unsealed };

  async function copy({ _id: blobId, size_bytes: sizeBytes }: BlobDocument): Promise<boolean> {
    // It began in the other store.
    if ((await from.size(blobId)) === undefined) return false;
    const there = await to.size(blobId);
    if (there === sizeBytes && (await to.seal(blobId)) === sizeBytes) return false;
    if (there !== undefined) await to.remove(blobId);

    await from.seal(blobId);
    const size = await to.write(blobId, from.read(blobId, 0, sizeBytes - 1));
    if (size !== sizeBytes) throw new Error(`Only ${size} of the ${sizeBytes} bytes of blob ${blobId} were copied.`);
    // Collected meanwhile: nobody would look for the copy again.
    if (!(await isKept(db, blobId))) await to.remove(blobId);
    return true;
  }
}
