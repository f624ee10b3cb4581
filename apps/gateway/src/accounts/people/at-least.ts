import { setTimeout as sleep } from 'node:timers/promises';

/** Takes as long as the work, but at least `ms`: so that how long it took does not tell what was found. */
export async function atLeastMs<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), sleep(ms)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
