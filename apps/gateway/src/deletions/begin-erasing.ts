import type { Lease } from '@fanfare/leased-work';
import { transaction } from '@fanfare/mongo';
import { CACHE_TTL_MS, type DeletionDocument, deletionRows, markOrganizationErasing, writeDeletion } from '../accounts/index.ts';
import type { Context } from '../context.ts';

/** Requests that were admitted by a cached credential, or a cached business, have begun by then. */
const UNKNOWN_WITHIN_MS = CACHE_TTL_MS + 2_000;

/** From now on nothing can be restored, and nobody has access any more. Erasing begins when every process knows that. */
export async function beginErasing({ db, mongo }: Context, lease: Lease<DeletionDocument>): Promise<void> {
  const { _id, kind } = lease.row;
  lease.row = await transaction(mongo.client, async (session) => {
    if (kind === 'organization') await markOrganizationErasing(db, _id, session);
    return writeDeletion(db, lease.row, { state: 'erasing' }, session);
  });
  lease.log.warn({ requested_at: lease.row.requested_at }, 'a deletion is final, and everything is erased');
  await deletionRows.postpone(db, lease.row, UNKNOWN_WITHIN_MS);
}
