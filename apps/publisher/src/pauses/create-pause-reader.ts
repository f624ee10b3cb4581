import type { Db } from 'mongodb';
import type { Paused } from './domain/paused.ts';
import { findPaused } from './store/pauses.ts';

/** What operators hold, read at most once a second however many deliveries ask: it is as it was a second ago at most. */
export function createPauseReader(db: Db): () => Promise<Paused> {
  let known: { readonly at: number; readonly paused: Promise<Paused> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > PAUSES_TTL_MS) known = { at: performance.now(), paused: findPaused(db) };
    const { paused } = known;
    paused.catch(() => (known = undefined));
    return paused;
  };
}

/** So long after a pause was written down, every process heeds it. */
export const PAUSES_TTL_MS = 1_000;
