import { isDuplicateKey } from '@fanfare/mongo';
import { grouped, onePer } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { saving, type Change, type DeliveryDocument } from '../store/deliveries.ts';
import { LeaseLost, writeAllFenced, writeFencedIn, type FencedWrite } from '../store/fenced.ts';

const MOST_TOGETHER = 64;

/** Changes what others hear of. @throws LeaseLost */
export const move = (context: Context, delivery: DeliveryDocument, change: Change): Promise<DeliveryDocument> =>
  tell(context, saving(delivery, { ...change, revision: delivery.revision + 1 }));

/**
 * State and event in one transaction. `write` makes the revision one more. What other deliveries tell meanwhile goes together.
 * @throws LeaseLost
 */
export const tell = (context: Context, write: FencedWrite): Promise<DeliveryDocument> => teller(context)(write);

const teller = onePer((context: Context) =>
  grouped<FencedWrite, DeliveryDocument>({ most: MOST_TOGETHER, keyOf: ({ held }) => held._id, work: (all) => together(context, all) }),
);

async function together(context: Context, writes: readonly FencedWrite[]): Promise<PromiseSettledResult<DeliveryDocument>[]> {
  if (writes.length > 1) {
    try {
      const after = await inTransaction(context, (session) => writeAllFenced(context.db, writes, session));
      return after.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      // One of them may not be written: that is nobody else's concern.
      if (!(error instanceof LeaseLost || isDuplicateKey(error))) throw error;
    }
  }
  const results: PromiseSettledResult<DeliveryDocument>[] = [];
  for (const write of writes) results.push(...(await Promise.allSettled([alone(context, write)])));
  return results;
}

async function alone(context: Context, write: FencedWrite): Promise<DeliveryDocument> {
  const [after] = await inTransaction(context, async (session) => [await writeFencedIn(session, context.db, write)]);
  return after as DeliveryDocument;
}

const inTransaction = (context: Context, write: (session: ClientSession) => Promise<DeliveryDocument[]>): Promise<DeliveryDocument[]> =>
  context.transact(async (session) => {
    const after = await write(session);
    await emitDeliveriesChanged(context.db, session, after);
    return after;
  });
