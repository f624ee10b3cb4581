import type { Db } from 'mongodb';
import type { Held } from './domain/paused.ts';
import { findHeld } from './store/pauses.ts';

/** What operators hold, read at most once a second however many deliveries ask: it is as it was a second ago at most. */
export function createHeldReader(db: Db): () => Promise<Held> {
  let known: { readonly at: number; readonly held: Promise<Held> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > HELD_REMEMBERED_MS) known = { at: performance.now(), held: findHeld(db) };
    const { held } = known;
    held.catch(() => (known = undefined));
    return held;
  };
}

/** So long after a pause was written down, every process heeds it. */
export const HELD_REMEMBERED_MS = 1_000;
