import { onePer } from '@fanfare/runtime';
import type { ClientSession, Db } from 'mongodb';

export interface WokenWorkers {
  /** @returns removes it */
  add(db: Db, wake: () => void): () => void;
  /** Wakes all of this process: now, or when the session has ended. */
  wake(db: Db, session?: ClientSession): void;
}

/** The workers on the rows of one collection in this process. */
export function createWokenWorkers(): WokenWorkers {
  const workers = onePer((_db: Db) => new Set<() => void>());
  const wakeAll = (db: Db) => workers(db).forEach((wake) => wake());
  const waiting = onePer((session: ClientSession) => {
    const dbs = new Set<Db>();
    session.once('ended', () => dbs.forEach(wakeAll));
    return dbs;
  });
  return {
    add(db, wake) {
      workers(db).add(wake);
      return () => void workers(db).delete(wake);
    },
    wake(db, session) {
      if (session) waiting(session).add(db);
      else wakeAll(db);
    },
  };
}
