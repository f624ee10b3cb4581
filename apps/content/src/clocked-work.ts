import { now } from '@fanfare/runtime';
import type { ClockedWork } from '@fanfare/test-clock';
import type { Db } from 'mongodb';
import { findBusinessIds } from './businesses/store/businesses.ts';
import { findNextDueOf, isAnySending } from './posts/store/clocked-posts.ts';
import { findNextSlotOf } from './queues/store/clocked-queues.ts';

/** What is due so soon is waited for, instead of moving a clock for it. */
const SOON_MS = 20;
/** A delivery that was requested is known to the publisher sooner. After that, the publisher knows what is left to do of it. */
const REQUESTED_MS = 5_000;
const EVER = new Date(0);

/**
 * What is due by the test clock of an organization. Posts and queues have its time already, so that the loops only have to look.
 * @param loops claim what is due
 */
export const clockedWork = (db: Db, loops: readonly { wake(): void }[]): readonly ClockedWork[] => [
  {
    name: 'posts',
    async left(organizationId, isNextWanted) {
      const at = now(organizationId).getTime();
      const soon = new Date(at + SOON_MS);
      const of = { organizationId, businessIds: await findBusinessIds(db, organizationId) };
      const isSending = await isAnySending(db, of, new Date(at - REQUESTED_MS));
      if (isSending && !isNextWanted) return { isOpen: true };
      const next = async (after: Date) => earlier(await findNextDueOf(db, of, after), await findNextSlotOf(db, of, after));
      const first = await next(EVER);
      const isDue = first !== undefined && first <= soon;
      return { isOpen: isSending || isDue, stopAt: isDue && isNextWanted ? await next(soon) : first };
    },
    async wake() {
      for (const loop of loops) loop.wake();
    },
  },
];

const earlier = (one: Date | undefined, other: Date | undefined) => (one && other ? (one < other ? one : other) : (one ?? other));
