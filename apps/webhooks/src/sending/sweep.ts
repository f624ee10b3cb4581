import { currentTime, movedClocks, now as timeOf, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { endpointsWithDue } from '../deliveries/store/deliveries.ts';
import { listEndpoints, markForgotten } from '../endpoints/store/endpoints.ts';

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
      for (const organizationId of movedClocks()) await sweepByClock(organizationId);
      return config.sending.sweepMs;
    },
  });

  /** What is due by a test clock only. */
  async function sweepByClock(organizationId: string): Promise<void> {
    const now = timeOf(organizationId);
    const ids = (await listEndpoints(db, [organizationId])).map(({ _id }) => _id);
    const late = await endpointsWithDue(db, new Date(now.getTime() - LATE_MS), ids);
    if (late.length > 0 && (await markForgotten(db, late, now)) > 0) sender.wake();
  }
}
