import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findErased } from '@fanfare/erasure';
import { notFound } from '@fanfare/errors';
import { keepLeaseAlive } from '@fanfare/leased-work';
import { isDuplicateKey } from '@fanfare/mongo';
import { currentMs, currentTime, newId } from '@fanfare/runtime';
import { insertBlob } from '../blobs/store/blob-rows.ts';
import { abandonUpload, beginUpload, finishUpload, forgetUpload, renewUpload } from '../blobs/store/uploads.ts';
import type { Context } from '../context.ts';
import { findArchive, insertArchive, type ArchiveDocument } from './store/archives.ts';

/** An archive arrives as fast as it is made, which may take hours: the lease is renewed until the last byte. */
const LEASE_MS = 10 * 60_000;

interface ArchiveToStore {
  readonly id: string;
  readonly organizationId: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly keptMs: number;
}

/**
 * Stores an archive while it arrives, in a few MiB of memory. If the source fails, nothing is stored. Of two processes that make the same archive the first stays.
 * @throws DomainError resource_not_found if the organization was erased meanwhile
 */
export async function storeArchive(context: Context, { id, organizationId, source, keptMs }: ArchiveToStore): Promise<ArchiveDocument> {
  const { blobs, db, transact } = context;
  const blobId = newId();
  const begun_at = currentTime();
  await beginUpload(db, blobId, id, LEASE_MS);
  try {
    const { sizeBytes, sha256 } = await write(context, blobId, source);
    return await transact(async (session) => {
      if ((await findErased(db, [organizationId])).size > 0) throw notFound('organization');
      await finishUpload(db, blobId, session);
      await insertBlob(db, { blobId, organizationId, sha256, sizeBytes }, session);
      const archive: ArchiveDocument = {
        _id: id,
        organization_id: organizationId,
        blob_id: blobId,
        sha256,
        size_bytes: sizeBytes,
        mime_type: 'application/zip',
        begun_at,
        created_at: currentTime(),
        expires_at: new Date(currentMs() + keptMs),
      };
      await insertArchive(db, archive, session);
      return archive;
    });
  } catch (error) {
    // If this fails, the sweep does it.
    await drop().catch(() => undefined);
    const first = isDuplicateKey(error, '_id') ? await findArchive(db, organizationId, id) : null;
    if (first) return first;
    throw error;
  }

  async function drop(): Promise<void> {
    if (!(await abandonUpload(db, blobId))) return;
    await blobs.remove(blobId);
    await forgetUpload(db, blobId);
  }
}

async function write(
  { blobs, db, log }: Context,
  blobId: string,
  source: ArchiveToStore['source'],
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const { lost, release } = keepLeaseAlive(() => renewUpload(db, blobId, LEASE_MS), LEASE_MS, log);
  try {
    // Not `pipe`: if the source breaks off, the bytes are not a whole archive, and the write must fail.
    const [sizeBytes] = await Promise.all([blobs.write(blobId, hashed, { signal: lost }), pipeline(source, hashed, { signal: lost })]);
    return { sizeBytes, sha256: hash.digest('hex') };
  } finally {
    release();
  }
}
