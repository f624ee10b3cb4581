import { now } from '@fanfare/runtime';
import type { ClockedWork, WorkLeft } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { findNextDueOf, isAnySending } from './posts/store/clocked-posts.ts';
import { findNextSlotOf } from './queues/store/clocked-queues.ts';

/** What is due so soon is waited for, instead of moving a clock for it. */
const SOON_MS = 20;
/** A delivery that was requested is known to the publisher sooner. After that, the publisher knows what is left to do of it. */
const REQUESTED_MS = 5_000;
const EVER = new Date(0);

/** What is due by the test clock of an organization. Scheduled posts and queues have the organization's time already, so nothing has to be woken. */
export const clockedWork = (db: Db): readonly ClockedWork[] => [
  { name: 'posts', stops: true, left: async (organizationId) => leftBefore(organizationId, await findNextDueOf(db, organizationId, EVER)) },
  {
    name: 'slots',
    stops: true,
    left: async (organizationId) => leftBefore(organizationId, await findNextSlotOf(db, organizationId, EVER)),
  },
  {
    name: 'publications',
    stops: true,
    async left(organizationId) {
      return { isOpen: await isAnySending(db, organizationId, new Date(now(organizationId).getTime() - REQUESTED_MS)) };
    },
  },
];

/** @param first what is due first */
const leftBefore = (organizationId: string, first: Date | undefined): WorkLeft =>
  first !== undefined && first.getTime() <= now(organizationId).getTime() + SOON_MS ? { isOpen: true } : { isOpen: false, nextAt: first };
