import type { Context } from '../context.ts';
import { findDueQueues, findNextSlotAt, type DueQueue } from '../queues/store/queues.ts';
import { startClaimLoop } from './claim-loop.ts';
import { claimSlots } from './claim-slots.ts';

/** Publishes the first post of each queue whose slot has come. */
export const startSlotLoop = (context: Context) =>
  startClaimLoop<DueQueue>(context, {
    name: 'queue-slots',
    what: 'slots of queues',
    idsOf: ({ _id, business_id }) => ({ queue_id: _id, business_id }),
    findDue: (except, limit) => findDueQueues(context.db, except, limit),
    findNextDueAt: (exceptQueues) => findNextSlotAt(context.db, exceptQueues),
    claim: (queues) => claimSlots(context, queues),
  });
