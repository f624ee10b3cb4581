import { currentMs, watchAge, type AgeWatch } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { findOldestDue } from './store/oldest-due.ts';

/**
 * Watches how long the oldest due delivery has been waiting to run. Deliveries that wait on purpose are not due: for a retry, a quota or a settle
 * time. Neither are those that operators have paused.
 */
export const watchDueDeliveries = ({ config, db, log, paused }: Context): AgeWatch =>
  watchAge({
    name: 'due-deliveries-age',
    metric: {
      name: 'fanfare_oldest_due_delivery_seconds',
      help: 'Time since the oldest due delivery that is not paused became due; 0 if there is none.',
    },
    log,
    lateAfterMs: config.lateAfterMs,
    async measure() {
      const [oldest] = await findOldestDue(db, await paused());
      return (
        oldest && { what: `the oldest due delivery to ${oldest.platform} has been waiting`, ageMs: currentMs() - oldest.dueAt.getTime() }
      );
    },
  });
