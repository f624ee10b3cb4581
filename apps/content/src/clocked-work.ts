import { now } from '@fanfare/runtime';
import type { ClockedWork } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { findNextDueOf, hasOpenPost } from './posts/store/clocked-posts.ts';
import { findNextSlotOf, hasDueSlot } from './queues/store/clocked-queues.ts';

/** What is due so soon is waited for, instead of moving a clock for it. */
const SOON_MS = 20;
/** A delivery that was requested is known to the publisher sooner. After that, the publisher knows what is left to do of it. */
const REQUESTED_MS = 5_000;

/** What is due by the test clock of an organization. Scheduled posts and queues have the organization's time already, so nothing has to be woken. */
export const clockedWork = (db: Db): readonly ClockedWork[] => [
  {
    name: 'posts',
    stops: true,
    async left(organizationId) {
      const at = now(organizationId).getTime();
      const [before, since] = [new Date(at + SOON_MS), new Date(at - REQUESTED_MS)];
      const [isOpen, nextAt] = await Promise.all([
        hasOpenPost(db, organizationId, { before, since }),
        findNextDueOf(db, organizationId, before),
      ]);
      return { isOpen, nextAt };
    },
  },
  {
    name: 'slots',
    stops: true,
    async left(organizationId) {
      const before = new Date(now(organizationId).getTime() + SOON_MS);
      const [isOpen, nextAt] = await Promise.all([hasDueSlot(db, organizationId, before), findNextSlotOf(db, organizationId, before)]);
      return { isOpen, nextAt };
    },
  },
];
