import { createReadStream } from 'node:fs';
import { isDuplicateKey } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { findBlob, insertBlob, referToBlob } from './store/blob-rows.ts';
import { abandonUpload, beginUpload, finishUpload, forgetUpload, leaveToSweep } from './store/uploads.ts';
import { hashFile } from './hash-file.ts';

/** The copy must end well before the lease does: what is written after the sweep would stay for ever. */
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
  /** The media or derivative that they are for. */
  readonly forId: string;
  /** A blob of these very bytes, sealed or to be sealed: it is taken as it is, or, when the same is there already, left to the sweep. */
  readonly stagedBlobId?: string | undefined;
}

/**
 * Stores the bytes of a file for an organization, which has the same bytes only once: what it has already is referred to and not copied. `commit`
 * writes what refers to them, in the transaction that makes them stay: when it throws they do not, and a staged blob is still the caller's. If it
 * does not, whoever staged it must give up his own note of it in `commit`. It may run several times.
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
    // Otherwise it was collected at this moment, and is stored again.
    if (referred) return referred.result;
  }
}

/** Undefined when somebody else has stored the same content meanwhile. */
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
    if (!isStaged) await drop({ blobs, db }, blobId).catch(() => undefined); // The sweep tries again.
    if (isDuplicateKey(error, 'sha256')) return undefined;
    throw error;
  }
}

/** Only what can still be given up: an error of a commit does not tell whether it took place. */
async function drop({ blobs, db }: Pick<Context, 'blobs' | 'db'>, blobId: string): Promise<void> {
  if (!(await abandonUpload(db, blobId))) return;
  await blobs.remove(blobId);
  await forgetUpload(db, blobId);
}
