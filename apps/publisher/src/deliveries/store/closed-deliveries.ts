import { raisedFence } from '@fanfare/leased-work';
import type { Db, Filter } from 'mongodb';
import type { DeliveryDocument } from '../delivery.ts';
import { DUE_INDEX } from './due-deliveries.ts';

const deliveries = (db: Db) => db.collection<DeliveryDocument>('deliveries');

/**
 * When a delivery of a closed business continues, that may not be published because the business is being deleted: not before it is opened again. No process
 * finds it due until then, however many there are.
 */
export const CLOSED_UNTIL = new Date('9999-12-31T00:00:00.000Z');

/** Lets deliveries that wait because of a closure continue now. @returns how many; 0 means that none is left */
export async function wakeClosed(
  db: Db,
  { organization_id, business_id }: { readonly organization_id: string; readonly business_id?: string },
  limit: number,
): Promise<number> {
  const waiting: Filter<DeliveryDocument> = {
    open: true,
    run_at: CLOSED_UNTIL,
    organization_id,
    ...(business_id !== undefined && { business_id }),
  };
  const found = await deliveries(db)
    .find(waiting, { projection: { _id: 1 }, hint: DUE_INDEX })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  await deliveries(db).updateMany({ ...waiting, _id: { $in: found.map(({ _id }) => _id) } }, [
    { $set: { run_at: '$$NOW', fence: raisedFence } },
  ]);
  return found.length;
}
