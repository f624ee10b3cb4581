import { onePer } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { LeasedRow } from './leased-rows.ts';

type Held = Pick<LeasedRow, '_id' | 'fence'>;

export interface RowsInWork {
  /** @returns ends it */
  begin(db: Db, row: Held): () => void;
  /** Selects all other rows, or this one if it is another. */
  others(db: Db, id?: string): { readonly $nor?: readonly Held[] };
}

/**
 * The rows that this process works on, with the fences of their leases. It does not lease them again as long as nobody has raised the fences: when the database is slow, a lease
 * may expire before its renewal is written, and a process that took its own rows away from itself again and again would finish none of them. Other processes lease them.
 */
export function createRowsInWork(): RowsInWork {
  const inWork = onePer((_db: Db) => new Set<Held>());
  return {
    begin(db, { _id, fence }) {
      const held = { _id, ...(fence !== undefined && { fence }) };
      inWork(db).add(held);
      return () => void inWork(db).delete(held);
    },
    others(db, id) {
      const held = [...inWork(db)].filter(({ _id }) => id === undefined || id === _id);
      return held.length > 0 ? { $nor: held } : {};
    },
  };
}
