import type { Db } from 'mongodb';
import { expireAfter } from './store/expiry.ts';
import { noteRetention } from './store/ledger-state.ts';

/** Sets how many days entries and anchors are kept. Called when a process starts. */
export async function keepLedger(db: Db, days: number): Promise<void> {
  const seconds = days * 24 * 3_600;
  await noteRetention(db, seconds);
  await expireAfter(db, 'ledger', seconds);
  // Anchors are inserted after the entries that they name, and therefore expire after them.
  await expireAfter(db, 'ledger_anchors', seconds);
}
