import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { keepLeaseAlive } from './keep-lease-alive.ts';
import { LeaseLost } from './lease-lost.ts';
import type { LeasedRow, LeasedRows } from './leased-rows.ts';

/** A row that this process works at, and nobody else. */
export interface Lease<Row extends LeasedRow> {
  /** As it was last written: whoever writes it puts it here. */
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
 * Works at a row that was leased, and renews the lease meanwhile. What the work throws after the lease was lost is that it was lost.
 * @param options.stopping aborted when the process stops; without it nothing tells the work to
 * @throws LeaseLost
 */
export async function withLease<Row extends LeasedRow, T>(
  options: { db: Db; rows: LeasedRows<Row>; row: Row; leaseMs: number; log: Logger; stopping?: AbortSignal },
  work: (lease: Lease<Row>) => Promise<T>,
): Promise<T> {
  const { db, rows, row, leaseMs, log, stopping = new AbortController().signal } = options;
  const { lost, release } = keepLeaseAlive(() => rows.renew(db, row, leaseMs), leaseMs, log);
  try {
    return await work({ row, log, stopping, lost, signal: AbortSignal.any([stopping, lost]) });
  } catch (error) {
    throw lost.aborted ? new LeaseLost(row._id) : error;
  } finally {
    release();
  }
}
