export { fenceAfter, raisedFence } from './fence.ts';
export { keepLeaseAlive, type LiveLease } from './keep-lease-alive.ts';
export { LeaseLost } from './lease-lost.ts';
export { leasedFor, leasedRows, type FencedWrite, type LeasedRow, type LeasedRows, type WorkOfClock } from './leased-rows.ts';
export { startWorker, type Retry, type Worker } from './start-worker.ts';
export { withLease, type Lease } from './with-lease.ts';
