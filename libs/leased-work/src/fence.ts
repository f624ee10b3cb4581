import type { Document } from 'mongodb';
import type { LeasedRow } from './leased-rows.ts';

/**
 * The raised fence of a row, for a pipeline: later writes of the process that has the lease fail. For changes by a process that does not have the
 * lease; `LeasedRows` raises fences itself.
 */
export const raisedFence: Document = { $add: [{ $ifNull: ['$fence', 0] }, 1] };

/** The same for a row that was read and is replaced as a whole. The replacement must check that the row is still the one that was read. */
export const fenceAfter = ({ fence = 0 }: Pick<LeasedRow, 'fence'>): number => fence + 1;
