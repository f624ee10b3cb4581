import { LeaseLost } from '@fanfare/leased-work';
import { recordEntries } from '@fanfare/ledger';
import { isDuplicateKey } from '@fanfare/mongo';
import { allOrEach, grouped, onePer } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitDeliveriesChanged } from '../events.ts';
import type { Change, DeliveryDocument, LeasedDelivery } from '../deliveries/delivery.ts';
import { deliveryRows, movingEntries, saving, type DeliveryWrite } from '../deliveries/store/deliveries.ts';

const MAX_BATCH = 64;

/** Saves a change together with its event. @throws LeaseLost */
export const saveAndEmit = (context: Context, delivery: LeasedDelivery, change: Change): Promise<DeliveryDocument> =>
  writeAndEmit(context, saving(delivery, { ...change, revision: delivery.revision + 1 }));

/**
 * Writes row, event and the entries of the timeline in one transaction. `write` increments the revision. Concurrent writes of other deliveries are batched.
 * @throws LeaseLost
 */
export const writeAndEmit = (context: Context, write: DeliveryWrite): Promise<DeliveryDocument> => writer(context)(write);

const writer = onePer((context: Context) =>
  grouped<DeliveryWrite, DeliveryDocument>({
    most: MAX_BATCH,
    keyOf: ({ row }) => row._id,
    work: allOrEach(
      (writes) => inTransaction(context, writes),
      (error) => error instanceof LeaseLost || isDuplicateKey(error),
    ),
  }),
);

const inTransaction = (context: Context, writes: readonly DeliveryWrite[]): Promise<DeliveryDocument[]> =>
  context.transact(async (session) => {
    const after = await deliveryRows.writeAll(context.db, writes.map(movingEntries), session);
    await recordEntries(
      context.db,
      writes.map(({ recorded }) => recorded),
      session,
    );
    await emitDeliveriesChanged(context.db, session, after);
    return after;
  });
