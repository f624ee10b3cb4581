import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { blobsAfter, isKept, type BlobDocument } from './store/blob-rows.ts';
import type { BlobStore } from './store/blob-store.ts';
import { countUnsealed } from './store/grid-fs.ts';

const BATCH = 100;

/**
 * Copies all blobs from GridFS to another store, except those that an earlier run copied. Deletes nothing from GridFS. While `unsealed` is not 0,
 * uploads that started in GridFS are in progress, and another run must copy them.
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
    // Stored in the new store from the beginning.
    if ((await from.size(blobId)) === undefined) return false;
    const copiedBytes = await to.size(blobId);
    if (copiedBytes === sizeBytes && (await to.seal(blobId)) === sizeBytes) return false;
    if (copiedBytes !== undefined) await to.remove(blobId);

    await from.seal(blobId);
    const size = await to.write(blobId, from.read(blobId, 0, sizeBytes - 1));
    if (size !== sizeBytes) throw new Error(`Only ${size} of the ${sizeBytes} bytes of blob ${blobId} were copied.`);
    // The blob was collected during the copy, and nothing else would delete the copy.
    if (!(await isKept(db, blobId))) await to.remove(blobId);
    return true;
  }
}
