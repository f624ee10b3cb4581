import { setTimeout as sleep } from 'node:timers/promises';

/** Takes at least `ms`, so that the time does not reveal the result of the work. */
export async function atLeastMs<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), sleep(ms)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
