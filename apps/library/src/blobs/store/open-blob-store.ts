import type { Db } from 'mongodb';
import type { BlobStore } from './blob-store.ts';
import { createGridFs } from './grid-fs.ts';
import { openBucket, type S3Settings } from './s3-bucket.ts';
import { createS3 } from './s3.ts';
import { withFallback } from './with-fallback.ts';

/** The configured store. It connects, and loads its client, at its first use. */
export function openBlobStore(db: Db, { s3, fallback }: { s3: S3Settings | undefined; fallback: 'grid-fs' | undefined }): BlobStore {
  if (!s3) return createGridFs(db);
  const store = createS3(db, openBucket(s3));
  return fallback === undefined ? store : withFallback(store, createGridFs(db));
}
