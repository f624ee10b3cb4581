import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import type { StorageLimits } from '../domain/storage-limits.ts';

/** What an organization has stored, in one row of its own, written by the transaction that stores or deletes: it is never counted up. */
interface StorageDocument {
  _id: string;
  bytes: number;
  files: number;
}

/** Media and documents count one file each, and their own bytes, also when other media have the same. */
export interface StorageAmount {
  readonly bytes: number;
  readonly files: number;
}

const storage = (db: Db) => db.collection<StorageDocument>('storage');

/**
 * Counts what a transaction stores. What is negative in the amount, because less is stored than before, is never refused.
 * @param limits undefined where nothing is limited
 * @throws DomainError rate_limit_exceeded that names the quota: the transaction must not commit
 */
export async function charge(
  db: Db,
  session: ClientSession,
  organizationId: string,
  amount: StorageAmount,
  limits: StorageLimits | undefined,
): Promise<void> {
  const row = await storage(db).findOneAndUpdate(
    { _id: organizationId },
    { $inc: { bytes: amount.bytes, files: amount.files } },
    { session, upsert: true, returnDocument: 'after' },
  );
  if (!row) throw new Error('An upsert answered without its document.');
  refuseAbove(limits, row, amount);
}

/** Counts what a transaction deletes. */
export async function giveBack(db: Db, session: ClientSession, organizationId: string, { bytes, files }: StorageAmount): Promise<void> {
  await storage(db).updateOne({ _id: organizationId }, { $inc: { bytes: -bytes, files: -files } }, { session });
}

/**
 * Whether there is room, before a large body is taken in. It promises nothing: `charge` decides.
 * @throws DomainError rate_limit_exceeded that names the quota
 */
export async function checkRoom(db: Db, organizationId: string, amount: StorageAmount, limits: StorageLimits | undefined): Promise<void> {
  if (!limits) return;
  const { bytes, files } = await readStorage(db, organizationId);
  refuseAbove(limits, { bytes: bytes + amount.bytes, files: files + amount.files }, amount);
}

export async function readStorage(db: Db, organizationId: string): Promise<StorageAmount> {
  const row = await storage(db).findOne({ _id: organizationId });
  return { bytes: row?.bytes ?? 0, files: row?.files ?? 0 };
}

function refuseAbove(limits: StorageLimits | undefined, wanted: StorageAmount, amount: StorageAmount): void {
  if (!limits) return;
  for (const [name, quota] of [
    ['bytes', 'storage_bytes'],
    ['files', 'storage_files'],
  ] as const) {
    if (amount[name] <= 0 || wanted[name] <= limits[name]) continue;
    const held = wanted[name] - amount[name];
    const detail = `The storage of the organization is full: its plan has a ${quota} of ${limits[name]}, ${held} are used, and this takes ${amount[name]} more.`;
    throw new DomainError('rate_limit_exceeded', detail, { members: { quota } });
  }
}
