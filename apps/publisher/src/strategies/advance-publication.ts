import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { DeliveryDocument } from '../deliveries/delivery.ts';
import { emitDeliveriesChanged } from '../events.ts';
import { insertRemovals } from '../removals/store/removals.ts';
import { advance, type ReachedState, type Order } from './domain/publication.ts';
import { reasonOf, reasonOfRemoval } from './domain/reason.ts';
import { confirm, failWaiting, markRemoving, proceed, stop } from './store/member-deliveries.ts';
import { findPublication, replacePublication, type PublicationDocument } from './store/publications.ts';

/** What has followed from the state that a delivery has reached. */
export interface Advanced {
  readonly publication: PublicationDocument;
  /** Deliveries that have changed because of it, whose events are emitted; that one may be among them. */
  readonly changed: readonly DeliveryDocument[];
  /** Deliveries that ended because of it. */
  readonly ended: readonly DeliveryDocument[];
}

/**
 * Writes what follows for the other deliveries of the publication from the state that one has reached, in the transaction that writes that state.
 * @returns undefined if the deliveries do not depend on each other
 */
export async function advancePublication(
  { db }: Pick<Context, 'db'>,
  delivery: Pick<DeliveryDocument, '_id' | 'publication_id'>,
  reached: ReachedState,
  session: ClientSession,
): Promise<Advanced | undefined> {
  const before = await findPublication(db, delivery.publication_id, session);
  if (!before) return undefined;
  const { publication, orders } = advance(before, delivery._id, reached);
  await replacePublication(db, { ...before, ...publication }, session);
  const proceeding = await proceed(db, idsOf(orders, 'proceed'), before.organization_id, session);
  await stop(db, idsOf(orders, 'stop'), session);
  const confirmed = await confirm(db, idsOf(orders, 'confirm'), session);
  const ended = await failWaiting(db, idsOf(orders, 'fail'), reasonOf(publication), session);
  const removing = await markRemoving(db, idsOf(orders, 'remove'), reasonOfRemoval(publication), session);
  await insertRemovals(db, removing.map(toRemoval), session);
  const changed = [...proceeding, ...confirmed, ...ended, ...removing];
  await emitDeliveriesChanged(db, session, changed);
  return { publication: { ...before, ...publication }, changed, ended };
}

const idsOf = (orders: readonly Order[], what: Order['do']): string[] => orders.filter((order) => order.do === what).map(({ id }) => id);

const toRemoval = ({ _id, organization_id, business_id, post_id, integration_id, platform, publish_id, flow_id }: DeliveryDocument) => ({
  ...{ _id: derivedId(_id, 'taken-back'), organization_id, business_id, post_id, delivery_id: _id, integration_id, platform, flow_id },
  ...(publish_id !== undefined && { publish_id }),
  takes_back: true as const,
});
