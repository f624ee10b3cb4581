import type { Db } from 'mongodb';
import { findClosed, type Closed } from './store/closures.ts';

/** After this time every process knows what was closed, or opened again. */
export const CLOSED_TTL_MS = 1_000;

/** What is closed, cached for a second, so that publishing a post costs no query more. */
export interface ClosedReader {
  (): Promise<Closed>;
  /** The next call reads the database. */
  forget(): void;
}

export function createClosedReader(db: Db): ClosedReader {
  let known: { readonly at: number; readonly closed: Promise<Closed> } | undefined;
  const read = () => {
    if (!known || performance.now() - known.at > CLOSED_TTL_MS) known = { at: performance.now(), closed: findClosed(db) };
    const { closed } = known;
    closed.catch(() => (known = undefined));
    return closed;
  };
  return Object.assign(read, { forget: () => void (known = undefined) });
}
