import { onePer } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { LeasedRow } from './leased-rows.ts';

type LeasedNow = Pick<LeasedRow, '_id' | 'fence'>;

export interface RowsInWork {
  /** @returns ends it */
  begin(db: Db, row: LeasedNow): () => void;
  /** Selects all other rows, or this one if it is another. */
  others(db: Db, id?: string): { readonly $nor?: readonly LeasedNow[] };
}

/**
 * The rows that this process works on, with the fences of their leases. It does not lease them again as long as nobody has raised the fences: when the database is slow, a lease
 * may expire before its renewal is written, and a process that took its own rows away from itself again and again would finish none of them. Other processes lease them.
 */
export function createRowsInWork(): RowsInWork {
  const inWork = onePer((_db: Db) => new Set<LeasedNow>());
  return {
    begin(db, { _id, fence }) {
      const leased = { _id, ...(fence !== undefined && { fence }) };
      inWork(db).add(leased);
      return () => void inWork(db).delete(leased);
    },
    others(db, id) {
      const leased = [...inWork(db)].filter(({ _id }) => id === undefined || id === _id);
      return leased.length > 0 ? { $nor: leased } : {};
    },
  };
}
