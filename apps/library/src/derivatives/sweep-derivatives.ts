import type { Context } from '../context.ts';
import { dropUnusedDerivative, findUnusedDerivatives } from './store/derivatives.ts';

/** Longer than any URL of one is valid. */
const UNUSED_FOR_MS = 30 * 24 * 3600_000;
const BATCH = 100;

/** Takes away derivatives that nobody asked for in a month: they can be made again. Returns how many it looked at. */
export async function sweepDerivatives({ db, transact }: Pick<Context, 'db' | 'transact'>, unusedForMs = UNUSED_FOR_MS): Promise<number> {
  const ids = await findUnusedDerivatives(db, unusedForMs, BATCH);
  for (const id of ids) await transact((session) => dropUnusedDerivative(db, id, unusedForMs, session));
  return ids.length;
}
