import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from './store/blob-store.ts';

/** Copies a sealed blob to a new local file that only this user can read. */
export async function copyBlob(
  blobs: Pick<BlobStore, 'read'>,
  { blobId, sizeBytes }: { blobId: string; sizeBytes: number },
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(blobs.read(blobId, 0, sizeBytes - 1), createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
}
