import { currentMs, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { deleteEndedDeliveries } from '../deliveries/store/ended-deliveries.ts';
import { deliveriesDeleted } from '../metrics.ts';

const DAY_MS = 24 * 3_600_000;
const PERIOD_MS = 10 * 60_000;
const BATCH = 200;
/** Publishing goes first: a batch takes some milliseconds. */
const BETWEEN_BATCHES_MS = 250;

/** Deletes ended deliveries after `DELIVERY_RETENTION_DAYS`, in small batches. Any number of replicas may do so. */
export function startRetention({ config, db, log }: Pick<Context, 'config' | 'db' | 'log'>): Loop {
  return startLoop({
    name: 'retention',
    log,
    async run() {
      const deleted = await deleteEndedDeliveries(db, new Date(currentMs() - config.deliveryRetentionDays * DAY_MS), BATCH);
      deliveriesDeleted.inc(deleted);
      return deleted < BATCH ? PERIOD_MS : BETWEEN_BATCHES_MS;
    },
  });
}
