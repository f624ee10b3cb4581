import { currentTime, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { endpointsWithDue } from '../deliveries/store/deliveries.ts';
import { markForgotten } from '../endpoints/store/endpoints.ts';

/** A delivery that has been due for longer was not noticed. */
const LATE_MS = 5_000;

/** Finds endpoints with deliveries that no process knows of: one has died after it added them, before it made the endpoint due. */
export function startSweep({ config, db, log }: Context, sender: Pick<Loop, 'wake'>): Loop {
  return startLoop({
    name: 'sweep-webhooks',
    log,
    stalledAfterMs: 6 * config.sending.sweepMs,
    async run() {
      const now = currentTime();
      const late = await endpointsWithDue(db, new Date(now.getTime() - LATE_MS));
      if (late.length > 0 && (await markForgotten(db, late, now)) > 0) sender.wake();
      return config.sending.sweepMs;
    },
  });
}
