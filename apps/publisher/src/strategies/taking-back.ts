import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import { findDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { emitDeliveriesChanged } from '../events.ts';
import type { TakingBack } from '../removals/remove.ts';
import type { RemovalDocument, RemovalEnd } from '../removals/store/removals.ts';
import { advancePublication } from './advance-publication.ts';
import { reasonOfRemoval, reasonOfRemoved, warningOfKept } from './domain/reason.ts';
import { markKept, markRemoved, markRemovalWaits } from './store/member-deliveries.ts';
import { findPublication } from './store/publications.ts';

export const takingBack: TakingBack = { end: endTakingBack, wait: waitTakingBack };

/** A removal has ended that took a post back because another account of its publication failed: the delivery says so, in the same transaction. */
async function endTakingBack(
  context: Context,
  { delivery_id: id }: Pick<RemovalDocument, 'delivery_id'>,
  end: RemovalEnd,
  session: ClientSession,
): Promise<void> {
  const { db } = context;
  const delivery = await findDelivery(db, id, session);
  const isRemoved = end.status === 'REMOVAL_STATUS_REMOVED';
  const advanced = delivery && (await advancePublication(context, delivery, isRemoved ? 'removed' : 'kept', session));
  if (!advanced) throw new Error(`Delivery ${id} was taken back, but it depends on no other one.`);
  const changed = isRemoved
    ? await markRemoved(db, id, reasonOfRemoved(advanced.publication), session)
    : await markKept(db, id, warningOfKept(advanced.publication, end.detail), session);
  await emitDeliveriesChanged(db, session, changed);
}

/** The removal waits for long: the delivery says why. */
async function waitTakingBack(
  { db }: Context,
  { delivery_id: id }: Pick<RemovalDocument, 'delivery_id'>,
  detail: string,
  session: ClientSession,
): Promise<void> {
  const delivery = await findDelivery(db, id, session);
  const publication = delivery && (await findPublication(db, delivery.publication_id, session));
  if (!publication) throw new Error(`Delivery ${id} is being taken back, but it depends on no other one.`);
  const message = `${reasonOfRemoval(publication)} The platform does not remove it yet: ${detail}`;
  await emitDeliveriesChanged(db, session, await markRemovalWaits(db, id, message, session));
}
