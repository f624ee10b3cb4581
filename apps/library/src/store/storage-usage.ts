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

/** What of a plan's bytes is not used; infinite where nothing is limited. It promises nothing either. */
export async function bytesLeft(db: Db, organizationId: string, limits: StorageLimits | undefined): Promise<number> {
  if (!limits) return Infinity;
  return Math.max(0, limits.bytes - (await readStorage(db, organizationId)).bytes);
}

/** For who asked for more bytes than were left, when nobody knows how many. */
export function noBytesLeft(limits: StorageLimits, left: number): DomainError {
  return full('storage_bytes', limits.bytes, limits.bytes - left, `more than the ${left} that are left`);
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
    throw full(quota, limits[name], wanted[name] - amount[name], `${amount[name]} more`);
  }
}

function full(quota: string, limit: number, held: number, taken: string): DomainError {
  const detail = `The storage of the organization is full: its plan has a ${quota} of ${limit}, ${held} are used, and this takes ${taken}. Deleting media or files makes room.`;
  return new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS, members: { quota } });
}

/** A day: every 429 says when to come back, and no storage empties by itself. Programs that repeat by themselves should not. */
const RETRY_AFTER_SECONDS = 86_400;
