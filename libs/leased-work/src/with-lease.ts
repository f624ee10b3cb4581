import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { keepLeaseAlive } from './keep-lease-alive.ts';
import { LeaseLost } from './lease-lost.ts';
import type { LeasedRow, LeasedRows } from './leased-rows.ts';

/** A row that only this process works on. */
export interface Lease<Row extends LeasedRow> {
  /** As last written: every write of the row must be assigned here. */
  row: Row;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/**
 * Works on a leased row, and renews the lease meanwhile. If the lease is lost, whatever the work throws becomes `LeaseLost`.
 * @param options.stopping aborted when the process stops; if absent, the work is not aborted then
 * @throws LeaseLost
 */
export async function withLease<Row extends LeasedRow, T>(
  options: { db: Db; rows: LeasedRows<Row>; row: Row; leaseMs: number; log: Logger; stopping?: AbortSignal },
  work: (lease: Lease<Row>) => Promise<T>,
): Promise<T> {
  const { db, rows, row, leaseMs, log, stopping = new AbortController().signal } = options;
  const { lost, release } = keepLeaseAlive(() => rows.renew(db, row, leaseMs), leaseMs, log);
  const endWork = rows.begin(db, row);
  try {
    return await work({ row, log, stopping, lost, signal: AbortSignal.any([stopping, lost]) });
  } catch (error) {
    throw lost.aborted ? new LeaseLost(row._id) : error;
  } finally {
    release();
    endWork();
  }
}
