import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { dropUnusedDerivative, findUnusedDerivatives } from '../store/derivatives.ts';

/** Longer than any URL of one is valid. */
export const UNUSED_FOR_MS = 30 * 24 * 3600_000;
const EVERY_MS = 60 * 60_000;
const BATCH = 100;

/** Takes away derivatives that nobody asked for in a month: they can be made again. Replicas do not get in each other's way. */
export const startDerivativeSweep = (context: Context): Loop =>
  startLoop({
    name: 'derivative-sweep',
    log: context.log,
    stalledAfterMs: 2 * EVERY_MS,
    run: async () => ((await sweepDerivatives(context)) === BATCH ? 0 : EVERY_MS),
  });

export async function sweepDerivatives({ db, transact }: Pick<Context, 'db' | 'transact'>, unusedForMs = UNUSED_FOR_MS): Promise<number> {
  const ids = await findUnusedDerivatives(db, unusedForMs, BATCH);
  for (const id of ids) await transact((session) => dropUnusedDerivative(db, id, unusedForMs, session));
  return ids.length;
}
