import { putTombstones, type Erased } from '@fanfare/erasure';
import type { Context } from '../context.ts';
import { eraseSteps } from './store/erase-steps.ts';

const BATCH = 500;

/** An export that is being made ends, and so does the advance of a test clock: nothing of what is erased may be stored again by them. */
export const eraseUnderWay = (context: Pick<Context, 'db'>, erased: Erased, signal: AbortSignal) =>
  eraseOwn(context, erased, signal, ['exports', 'test_clocks']);

/** Erases what the gateway stores. @returns how many documents */
export async function eraseOwn(
  { db }: Pick<Context, 'db'>,
  erased: Erased,
  signal: AbortSignal,
  only?: readonly string[],
): Promise<number> {
  await putTombstones(db, erased);
  let total = 0;
  for (const [name, step] of Object.entries(eraseSteps(db))) {
    if (only && !only.includes(name)) continue;
    for (let count = await step(erased, BATCH); count > 0; count = await step(erased, BATCH)) {
      signal.throwIfAborted();
      total += count;
    }
  }
  return total;
}
