import { movedClocks, now, realTime } from '@fanfare/runtime';
import type { Db, Filter } from 'mongodb';
import { recentBusinessIds } from '../../businesses/store/clocked-businesses.ts';
import type { QueueDocument } from '../queue.ts';
import type { DueQueue } from './queues.ts';

// Queues of organizations whose test clocks were moved: see `posts/store/clocked-posts.ts`. A business has few queues.

const EVER = new Date(0);

const queues = (db: Db) => db.collection<QueueDocument>('queues');

/** Queues whose slot has come by the test clock of their organization, and not by the database's clock. */
export async function findDueQueuesByClock(
  db: Db,
  except: { readonly organizations?: readonly string[]; readonly ids?: readonly string[] },
): Promise<DueQueue[]> {
  const { organizations = [], ids = [] } = except;
  const clocked = movedClocks().filter((id) => !organizations.includes(id));
  const found = clocked.map(async (organizationId) => {
    const at = now(organizationId);
    return queues(db)
      .find(
        {
          ...withSlot({ organizationId, businessIds: await recentBusinessIds(db, organizationId) }, { $gt: EVER, $lte: at }),
          ...without(ids),
          $expr: { $gt: ['$next_slot_at', '$$NOW'] },
        },
        { projection: { organization_id: 1, business_id: 1, next_slot_at: 1 } },
      )
      .map((queue) => queue as unknown as DueQueue)
      .toArray();
  });
  return (await Promise.all(found)).flat().sort((a, b) => a.next_slot_at.getTime() - b.next_slot_at.getTime());
}

/** The time of the next slot of these organizations, in real time, even if it is in the past. */
export async function findNextSlotByClock(db: Db, exceptIds: readonly string[]): Promise<Date | undefined> {
  const nexts = await Promise.all(
    movedClocks().map(async (organizationId) => {
      const of = { organizationId, businessIds: await recentBusinessIds(db, organizationId) };
      const next = await findNextSlotOf(db, of, EVER, exceptIds);
      return next && realTime(organizationId, next);
    }),
  );
  return nexts.filter((time) => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** The next slot of an organization's queues after a time, by its clock. */
export async function findNextSlotOf(db: Db, of: Owner, after: Date, exceptIds: readonly string[] = []): Promise<Date | undefined> {
  const next = await queues(db)
    .find({ ...withSlot(of, { $gt: after }), ...without(exceptIds) }, { projection: { next_slot_at: 1 } })
    .sort({ next_slot_at: 1 })
    .limit(1)
    .next();
  return next?.next_slot_at;
}

interface Owner {
  readonly organizationId: string;
  readonly businessIds: readonly string[];
}

const withSlot = ({ organizationId, businessIds }: Owner, at: { readonly $gt: Date; readonly $lte?: Date }): Filter<QueueDocument> => ({
  business_id: { $in: [...businessIds] },
  organization_id: organizationId,
  deleted: false,
  next_slot_at: at,
});

const without = (ids: readonly string[]): Filter<QueueDocument> => (ids.length > 0 ? { _id: { $nin: [...ids] } } : {});
