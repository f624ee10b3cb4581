import type { Context } from '../context.ts';
import { findDueQueuesByClock, findNextSlotByClock } from '../queues/store/clocked-queues.ts';
import { findDueQueues, findNextSlotAt, type DueQueue } from '../queues/store/queues.ts';
import { firstOf, startClaimLoop } from './claim-loop.ts';
import { claimSlots } from './claim-slots.ts';

/** Publishes the first post of each queue whose slot has come. */
export const startSlotLoop = (context: Context) =>
  startClaimLoop<DueQueue>(context, {
    name: 'queue-slots',
    what: 'slots of queues',
    idsOf: ({ _id, business_id }) => ({ queue_id: _id, business_id }),
    findDue: async (except, limit) => [
      ...(await findDueQueues(context.db, except, limit)),
      ...(await findDueQueuesByClock(context.db, except)),
    ],
    findNextDueAt: async (exceptQueues) =>
      firstOf(await findNextSlotAt(context.db, exceptQueues), await findNextSlotByClock(context.db, exceptQueues)),
    claim: (queues) => claimSlots(context, queues),
  });
