import type { Db } from 'mongodb';
import type { Paused } from './domain/paused.ts';
import { findPaused } from './store/pauses.ts';

/** What operators have paused, cached for a second for all deliveries. */
export function createPauseReader(db: Db): () => Promise<Paused> {
  let known: { readonly at: number; readonly paused: Promise<Paused> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > PAUSES_TTL_MS) known = { at: performance.now(), paused: findPaused(db) };
    const { paused } = known;
    paused.catch(() => (known = undefined));
    return paused;
  };
}

/** After this time every process knows of a new pause. */
export const PAUSES_TTL_MS = 1_000;
