import { transaction } from '@fanfare/mongo';
import type { Context } from '../context.ts';
import { deleteMembership, deletePerson, findMemberships, isElsewhere } from './store/erased-people.ts';

const TOGETHER = 100;

/**
 * Ends the memberships of an erased organization. Who belongs to no other one is erased, too: nothing is left that a sign-in would be for. Users whom operators have
 * disabled stay disabled.
 */
export async function erasePeople({ db, mongo }: Context, organizationId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const memberships = await findMemberships(db, organizationId, TOGETHER);
    if (memberships.length === 0) return;
    for (const { _id, user_id } of memberships) {
      signal.throwIfAborted();
      await transaction(mongo.client, async (session) => {
        await deleteMembership(db, _id, session);
        if (!(await isElsewhere(db, user_id, session))) await deletePerson(db, user_id, session);
      });
    }
  }
}
