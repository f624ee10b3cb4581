import { putTombstones, type Erased } from '@fanfare/erasure';
import type { Context } from '../context.ts';
import { eraseSteps } from './store/erase-steps.ts';

const BATCH = 500;

/** Erases what the gateway stores. @returns how many documents */
export async function eraseOwn({ db }: Pick<Context, 'db'>, erased: Erased, signal: AbortSignal): Promise<number> {
  await putTombstones(db, erased);
  let total = 0;
  for (const step of Object.values(eraseSteps(db))) {
    for (let count = await step(erased, BATCH); count > 0; count = await step(erased, BATCH)) {
      signal.throwIfAborted();
      total += count;
    }
  }
  return total;
}
