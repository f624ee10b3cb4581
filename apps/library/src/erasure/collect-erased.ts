import type { Erased } from '@fanfare/erasure';
import { forgetBlob } from '../blobs/store/blob-rows.ts';
import type { Context } from '../context.ts';
import { collected } from '../metrics.ts';
import { markErasedBlobs } from './store/erased-data.ts';

const TOGETHER = 20;

/**
 * Deletes the bytes that nothing of the organization refers to any more; of an erased organization, all. Running downloads of them fail. Throws if the store cannot
 * delete them: they are not erased until it can.
 */
export async function collectErased({ blobs, db }: Context, erased: Erased): Promise<number> {
  const marked = await markErasedBlobs(db, erased, TOGETHER);
  for (const { _id: blobId, size_bytes: sizeBytes } of marked) {
    await blobs.remove(blobId);
    await forgetBlob(db, blobId);
    collected('blob', sizeBytes);
  }
  return marked.length;
}
