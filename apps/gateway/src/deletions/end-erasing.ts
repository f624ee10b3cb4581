import type { Lease } from '@fanfare/leased-work';
import { transaction } from '@fanfare/mongo';
import { newId } from '@fanfare/runtime';
import { deleteOrganization, type DeletionDocument, endDeletion, mailDeletion, recordAudit, writeDeletion } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { businessesErased, organizationsErased } from '../metrics.ts';
import { erasePeople } from './erase-people.ts';

/** Everything else is erased: mails the owners, and deletes the rest. What remains are ids and times. */
export async function endErasing(context: Context, lease: Lease<DeletionDocument>, sweepInMs: number): Promise<void> {
  const { kind } = lease.row;
  await (kind === 'business' ? endBusiness(context, lease, sweepInMs) : endOrganization(context, lease, sweepInMs));
  (kind === 'business' ? businessesErased : organizationsErased).inc();
  lease.log.warn({ requested_at: lease.row.requested_at, erased_at: lease.row.erased_at }, `${kind} erased`);
}

async function endBusiness(context: Context, lease: Lease<DeletionDocument>, sweepInMs: number): Promise<void> {
  const { db, mongo } = context;
  const { _id, organization_id: organizationId } = lease.row;
  const id = newId();
  lease.row = await transaction(mongo.client, async (session) => {
    const entry = {
      action: 'business.deleted',
      targetType: 'business',
      targetId: _id,
      actor: 'system:gateway',
      request: { requestId: '' },
    };
    await recordAudit(context, { id, organizationId, ...entry }, session);
    await mailDeletion(context, lease.row, 'deleted', session);
    return endDeletion(db, lease.row, sweepInMs, session);
  });
}

/** The mails are queued before the people are deleted, and both before the organization: whoever continues after a crash finds what is left. */
async function endOrganization(context: Context, lease: Lease<DeletionDocument>, sweepInMs: number): Promise<void> {
  const { db, mongo } = context;
  const { _id } = lease.row;
  lease.row = await transaction(mongo.client, async (session) => {
    await mailDeletion(context, lease.row, 'deleted', session);
    return writeDeletion(db, lease.row, { waiting_for: undefined }, session);
  });
  await erasePeople(context, _id, lease.signal);
  lease.row = await transaction(mongo.client, async (session) => {
    await deleteOrganization(db, _id, session);
    return endDeletion(db, lease.row, sweepInMs, session);
  });
}
