import { LeaseLost, type FencedWrite } from '@fanfare/leased-work';
import { isDuplicateKey } from '@fanfare/mongo';
import { allOrEach, grouped, onePer } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { deliveryRows, saving, type Change, type DeliveryDocument, type LeasedDelivery } from '../deliveries/store/deliveries.ts';

const MAX_BATCH = 64;

/** Saves a change together with its event. @throws LeaseLost */
export const saveAndEmit = (context: Context, delivery: LeasedDelivery, change: Change): Promise<DeliveryDocument> =>
  writeAndEmit(context, saving(delivery, { ...change, revision: delivery.revision + 1 }));

/**
 * Writes row and event in one transaction. `write` increments the revision. Concurrent writes of other deliveries are batched.
 * @throws LeaseLost
 */
export const writeAndEmit = (context: Context, write: FencedWrite): Promise<DeliveryDocument> => writer(context)(write);

const writer = onePer((context: Context) =>
  grouped<FencedWrite, DeliveryDocument>({
    most: MAX_BATCH,
    keyOf: ({ row }) => row._id,
    work: allOrEach(
      (writes) => inTransaction(context, writes),
      (error) => error instanceof LeaseLost || isDuplicateKey(error),
    ),
  }),
);

const inTransaction = (context: Context, writes: readonly FencedWrite[]): Promise<DeliveryDocument[]> =>
  context.transact(async (session) => {
    const after = await deliveryRows.writeAll(context.db, writes, session);
    await emitDeliveriesChanged(context.db, session, after);
    return after;
  });
