import type { Document } from 'mongodb';
import type { LeasedRow } from './leased-rows.ts';

/**
 * In a pipeline, the fence of a row that is taken from whoever has leased it: what that process writes afterwards is refused. For changes by others than
 * the process that has the lease; `LeasedRows` raises the fences of its own.
 */
export const raisedFence: Document = { $add: [{ $ifNull: ['$fence', 0] }, 1] };

/** The same for a row that was read and is replaced as a whole. The replacement has to make sure that it is still the row that was read. */
export const fenceAfter = ({ fence = 0 }: Pick<LeasedRow, 'fence'>): number => fence + 1;
