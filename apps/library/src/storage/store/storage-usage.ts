import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import type { StorageLimits } from '../domain/storage-limits.ts';
import { countOpenUploads } from './count-open-uploads.ts';

/** What an organization has stored, in one row of its own, written by the transaction that stores or deletes: it is never counted up. */
interface StorageDocument {
  _id: string;
  bytes: number;
  files: number;
}

/** Media and documents count one file each, and their own bytes, also when other media have the same. */
interface StorageAmount {
  readonly bytes: number;
  readonly files: number;
}

/** What is stored, and what resumable uploads that are open hold, as if all of it had come. */
interface StorageUsage extends StorageAmount {
  readonly reserved: StorageAmount;
}

const NOTHING: StorageAmount = { bytes: 0, files: 0 };

const storage = (db: Db) => db.collection<StorageDocument>('storage');

/**
 * Counts what a transaction stores. What is negative in the amount, because less is stored than before, is never rejected.
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
  if (!row) throw new Error('An upsert returned no document.');
  const before = { bytes: row.bytes - amount.bytes, files: row.files - amount.files, reserved: NOTHING };
  rejectAbove(limits, before, amount);
}

/** Counts what a transaction deletes. */
export async function giveBack(db: Db, session: ClientSession, organizationId: string, { bytes, files }: StorageAmount): Promise<void> {
  await storage(db).updateOne({ _id: organizationId }, { $inc: { bytes: -bytes, files: -files } }, { session });
}

/**
 * Whether there is room beside what is stored and what open uploads hold, before a large body is taken in. It promises nothing: `charge` decides,
 * which leaves out what uploads hold, so that they can end.
 * @throws DomainError rate_limit_exceeded that names the quota
 */
export async function checkRoom(db: Db, organizationId: string, amount: StorageAmount, limits: StorageLimits | undefined): Promise<void> {
  if (limits) rejectAbove(limits, await readStorage(db, organizationId), amount);
}

/** What of a plan's bytes is left; infinite where nothing is limited. It promises nothing either. */
export function bytesLeft(limits: StorageLimits | undefined, { bytes, reserved }: StorageUsage): number {
  return limits ? Math.max(0, limits.bytes - bytes - reserved.bytes) : Infinity;
}

/** For who asked for more bytes than were left, when nobody knows how many. */
export function noBytesLeft(limits: StorageLimits, usage: StorageUsage): DomainError {
  return full('bytes', limits, usage, `more than the ${bytesLeft(limits, usage)} that are left`);
}

export async function readStorage(db: Db, organizationId: string): Promise<StorageUsage> {
  const [row, reserved] = await Promise.all([storage(db).findOne({ _id: organizationId }), countOpenUploads(db, organizationId)]);
  return { bytes: row?.bytes ?? 0, files: row?.files ?? 0, reserved };
}

function rejectAbove(limits: StorageLimits | undefined, usage: StorageUsage, amount: StorageAmount): void {
  if (!limits) return;
  for (const name of ['bytes', 'files'] as const) {
    if (amount[name] <= 0 || usage[name] + usage.reserved[name] + amount[name] <= limits[name]) continue;
    throw full(name, limits, usage, `${amount[name]} more`);
  }
}

function full(name: keyof StorageAmount, limits: StorageLimits, usage: StorageUsage, taken: string): DomainError {
  const [quota, used, reserved] = [`storage_${name}`, usage[name], usage.reserved[name]];
  const reserving = reserved > 0 ? `, reserved by open uploads: ${reserved}` : '';
  const ways = [reserved > 0 && 'finish or cancel open uploads', used > 0 && 'delete media or files'].filter((way) => way !== false);
  const advice = ways.length > 0 ? ` To free space, ${ways.join(' or ')}.` : '';
  const detail = `The storage of the organization is full: this needs ${taken} (${quota}: ${limits[name]}, used: ${used}${reserving}).${advice}`;
  return new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS, members: { quota } });
}

/** A day: every 429 says when to come back, and no storage empties by itself. Programs that repeat by themselves should not. */
const RETRY_AFTER_SECONDS = 86_400;
