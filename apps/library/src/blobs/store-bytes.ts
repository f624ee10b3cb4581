import { createReadStream } from 'node:fs';
import { isDuplicateKey } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { findBlob, insertBlob, referToBlob } from './store/blob-rows.ts';
import { abandonUpload, beginUpload, finishUpload, forgetUpload, leaveToSweep } from './store/uploads.ts';
import { hashFile } from './hash-file.ts';

/** The copy must end well before the lease: bytes written after the sweep would never be deleted. */
const COPY_TIMEOUT_MS = 20 * 60_000;
const LEASE_MS = 25 * 60_000;

interface StoredBytes {
  readonly blobId: string;
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface BytesToStore {
  readonly organizationId: string;
  readonly file: string;
  /** Id of the media or derivative. */
  readonly forId: string;
  /** A blob that already has these bytes; it is sealed and used, or left to the sweep if the organization has another blob with the same bytes. */
  readonly stagedBlobId?: string | undefined;
}

/**
 * Stores the bytes of a file for an organization. The same bytes are stored once: if there is a blob with them, it gets another reference. `commit`
 * writes the document that refers to the blob, in the transaction that adds the reference, and may run several times. If it throws, nothing is stored,
 * and a staged blob still belongs to the caller. Otherwise the blob belongs to the library, so `commit` must delete the caller's record of it.
 */
export async function storeBytes<T>(
  context: Pick<Context, 'blobs' | 'db' | 'transact'>,
  bytes: BytesToStore,
  commit: (session: ClientSession, stored: StoredBytes) => Promise<T>,
): Promise<T> {
  const { db, transact } = context;
  const { organizationId, file, forId, stagedBlobId } = bytes;
  const content = await hashFile(file);

  for (;;) {
    const known = await findBlob(db, organizationId, content.sha256);
    if (!known) {
      const stored = await storeNew(context, bytes, content, commit);
      if (stored) return stored.result;
      continue;
    }
    const referred = await transact(async (session) => {
      if (!(await referToBlob(db, known._id, session))) return undefined;
      const result = await commit(session, { ...content, blobId: known._id });
      if (stagedBlobId !== undefined) await leaveToSweep(db, stagedBlobId, forId, session);
      return { result };
    });
    // Otherwise the blob was collected in the meantime, and the bytes are stored again.
    if (referred) return referred.result;
  }
}

/** Returns undefined if the same bytes were stored by another request in the meantime. */
async function storeNew<T>(
  { blobs, db, transact }: Pick<Context, 'blobs' | 'db' | 'transact'>,
  { organizationId, file, forId, stagedBlobId }: BytesToStore,
  content: Omit<StoredBytes, 'blobId'>,
  commit: (session: ClientSession, stored: StoredBytes) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const blobId = stagedBlobId ?? newId();
  const isStaged = stagedBlobId !== undefined;
  if (!isStaged) await beginUpload(db, blobId, forId, LEASE_MS);
  try {
    const stored = isStaged
      ? await blobs.seal(blobId)
      : await blobs.write(blobId, createReadStream(file), { signal: AbortSignal.timeout(COPY_TIMEOUT_MS) });
    if (stored !== content.sizeBytes) throw new Error(`Only ${stored} of ${content.sizeBytes} bytes were stored.`);
    return await transact(async (session) => {
      if (!isStaged) await finishUpload(db, blobId, session);
      await insertBlob(db, { ...content, blobId, organizationId }, session);
      return { result: await commit(session, { ...content, blobId }) };
    });
  } catch (error) {
    if (!isStaged) await drop({ blobs, db }, blobId).catch(() => undefined); // The sweep retries.
    if (isDuplicateKey(error, 'sha256')) return undefined;
    throw error;
  }
}

/** Deletes the blob unless it is in use: a commit that failed with an error may have succeeded. */
async function drop({ blobs, db }: Pick<Context, 'blobs' | 'db'>, blobId: string): Promise<void> {
  if (!(await abandonUpload(db, blobId))) return;
  await blobs.remove(blobId);
  await forgetUpload(db, blobId);
}
