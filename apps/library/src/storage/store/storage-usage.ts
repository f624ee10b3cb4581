import { DomainError } from '@fanfare/errors';
import type { ClientSession, Db } from 'mongodb';
import type { StorageLimits } from '../domain/storage-limits.ts';
import { countOpenUploads } from './count-open-uploads.ts';

/** What an organization has stored. Updated in the transactions that store or delete, so it is exact and never has to be counted. */
interface StorageDocument {
  _id: string;
  bytes: number;
  files: number;
}

/** Each media and each document counts as one file, with its bytes, even if other media have the same bytes. */
interface StorageAmount {
  readonly bytes: number;
  readonly files: number;
}

/** What is stored, and what open resumable uploads reserve: their full size. */
interface StorageUsage extends StorageAmount {
  readonly reserved: StorageAmount;
}

const NOTHING: StorageAmount = { bytes: 0, files: 0 };

const storage = (db: Db) => db.collection<StorageDocument>('storage');

/**
 * Adds what a transaction stores. A negative amount, for a document that gets smaller, is never rejected.
 * @param limits undefined: no limit
 * @throws DomainError rate_limit_exceeded with the quota; then the transaction must not commit
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

/** Subtracts what a transaction deletes. */
export async function giveBack(db: Db, session: ClientSession, organizationId: string, { bytes, files }: StorageAmount): Promise<void> {
  await storage(db).updateOne({ _id: organizationId }, { $inc: { bytes: -bytes, files: -files } }, { session });
}

/**
 * Checks the quota before a large body is received, including what open uploads reserve. Reserves nothing: `charge` decides. That ignores the
 * reservations, so that open uploads can finish.
 * @throws DomainError rate_limit_exceeded with the quota
 */
export async function checkRoom(db: Db, organizationId: string, amount: StorageAmount, limits: StorageLimits | undefined): Promise<void> {
  if (limits) rejectAbove(limits, await readStorage(db, organizationId), amount);
}

/** The bytes left of the quota; Infinity without a limit. Reserves nothing. */
export function bytesLeft(limits: StorageLimits | undefined, { bytes, reserved }: StorageUsage): number {
  return limits ? Math.max(0, limits.bytes - bytes - reserved.bytes) : Infinity;
}

/** The error of a file that exceeds the quota by an unknown size. */
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

function full(name: keyof StorageAmount, limits: StorageLimits, usage: StorageUsage, needed: string): DomainError {
  const [quota, used, reserved] = [`storage_${name}`, usage[name], usage.reserved[name]];
  const reserving = reserved > 0 ? `, reserved by open uploads: ${reserved}` : '';
  const ways = [reserved > 0 && 'finish or cancel open uploads', used > 0 && 'delete media or files'].filter((way) => way !== false);
  const advice = ways.length > 0 ? ` To free space, ${ways.join(' or ')}.` : '';
  const detail = `The storage of the organization is full: this needs ${needed} (${quota}: ${limits[name]}, used: ${used}${reserving}).${advice}`;
  return new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS, members: { quota } });
}

/** A day. Every 429 has a Retry-After, but storage does not become free by itself, so automatic retries would be useless. */
const RETRY_AFTER_SECONDS = 86_400;
