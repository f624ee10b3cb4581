import type { Context } from '../context.ts';
import { dropUnusedDerivative, findUnusedDerivatives } from './store/derivatives.ts';

/** Longer than any URL of a derivative is valid. */
const UNUSED_FOR_MS = 30 * 24 * 3600_000;
const BATCH = 100;

/** Deletes derivatives that were not used for a month; they can be made again. Returns how many it processed. */
export async function sweepDerivatives({ db, transact }: Pick<Context, 'db' | 'transact'>, unusedForMs = UNUSED_FOR_MS): Promise<number> {
  const ids = await findUnusedDerivatives(db, unusedForMs, BATCH);
  for (const id of ids) await transact((session) => dropUnusedDerivative(db, id, unusedForMs, session));
  return ids.length;
}
