import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { checkActing, type Acting } from '../people/acting.ts';
import { managerNow } from '../people/members.ts';
import { findActorName } from '../store/actors.ts';
import {
  beginDeletion,
  cancelDeletion as cancel,
  expediteDeletion as expedite,
  findDeletionIn,
  type DeletionDocument,
} from '../store/deletions.ts';
import { setOrganizationDeletion } from '../store/organizations.ts';
import { mailDeletion } from './mail-deletion.ts';
import { setClosures } from './set-closures.ts';

/** What is deleted, or restored, and who does that. */
export interface Deleted extends Acting {
  readonly kind: DeletionDocument['kind'];
  /** Of the business or the organization. */
  readonly id: string;
  /** For mails. */
  readonly name: string;
  readonly request: AuditRequest;
}

/**
 * Requests the deletion of a business or an organization: publishing stops at once, and everything is erased later, unless it is restored before. A repeated
 * request changes nothing. When it returns nothing more is published, unless content or the publisher does not respond: then within seconds after it does.
 * @throws DomainError permission_denied, authentication_required; resource_not_found if it is being erased
 */
export async function requestDeletion(context: Context, deleted: Deleted): Promise<DeletionDocument> {
  const { db, mongo, config } = context;
  const { kind, id, organizationId, actor } = deleted;
  const { deletion, isNew } = await transaction(mongo.client, async (session) => {
    await checkMayDelete(context, deleted, session);
    const before = await findDeletionIn(db, id, session);
    if (before?.state === 'erasing' || before?.state === 'erased') throw notFound(kind);
    if (before?.state === 'pending') return { deletion: before, isNew: false };
    const requestedBy = await findActorName(db, actor, session);
    const fields = {
      ...{ _id: id, kind, organization_id: organizationId, name: deleted.name, requested_by: actor },
      ...(requestedBy !== undefined && { requested_by_name: requestedBy }),
    };
    const begun = await beginDeletion(db, fields, config.deletionAfterMs[kind], session);
    await noteInOrganization(context, begun, session);
    await audit(context, deleted, `${kind}.deletion_requested`, { final_at: begun.final_at.toISOString() }, session);
    await mailDeletion(context, begun, 'deletion_requested', session);
    return { deletion: begun, isNew: true };
  });
  forgetCached(context);
  if (isNew) context.log.info({ ...idsOf(deletion), actor, final_at: deletion.final_at }, 'deletion requested');
  await setClosuresNow(context, deletion);
  return deletion;
}

/**
 * Restores a business or an organization that is not erased yet: everything is as it was, and publishing continues. Changes nothing if it is not being deleted.
 * @throws DomainError permission_denied, authentication_required; conflict if its deletion is final
 */
export async function cancelDeletion(context: Context, deleted: Deleted): Promise<void> {
  const { db, mongo } = context;
  const { kind, id, actor } = deleted;
  const cancelled = await transaction(mongo.client, async (session) => {
    await checkMayDelete(context, deleted, session);
    const before = await findDeletionIn(db, id, session);
    if (!before || before.state === 'cancelled') return before;
    const after = await cancel(db, id, session);
    if (!after) throw new DomainError('conflict', `The deletion of this ${kind} is final: its data is being erased.`);
    await noteInOrganization(context, after, session);
    await audit(context, deleted, `${kind}.deletion_cancelled`, {}, session);
    context.log.info({ ...idsOf(after), actor }, 'deletion cancelled');
    return after;
  });
  forgetCached(context);
  if (cancelled) await setClosuresNow(context, cancelled);
}

/** Makes a pending deletion final now, for operators. @throws DomainError resource_not_found if none is pending */
export async function expediteDeletion(
  context: Context,
  id: string,
  by: { readonly actor: string; readonly reason: string },
): Promise<DeletionDocument> {
  const { db, mongo } = context;
  const expedited = await transaction(mongo.client, (session) => expedite(db, id, session));
  if (!expedited) throw notFound('deletion');
  context.log.warn({ ...idsOf(expedited), ...by }, 'an operator makes a deletion final');
  return expedited;
}

/** This process knows at once. */
function forgetCached({ deletions, callers }: Context): void {
  deletions.forget();
  callers.forget();
}

export const idsOf = ({ _id, kind, organization_id }: DeletionDocument) => ({ deleted: kind, deleted_id: _id, organization_id });

/** Stops publishing, or lets it continue, now. If that fails, the process that has the row's lease does it later. */
async function setClosuresNow(context: Context, deletion: DeletionDocument): Promise<void> {
  if (deletion.told_revision === deletion.revision) return;
  await setClosures(context, deletion).catch((error: unknown) =>
    context.log.warn({ err: error, ...idsOf(deletion) }, 'services do not know of a deletion yet'),
  );
}

/** Reads the role again: owners and admins delete businesses, only owners delete the organization. Operators may do both. */
async function checkMayDelete({ db }: Context, deleted: Deleted, session: ClientSession): Promise<void> {
  await checkActing(db, deleted, session);
  const [kind, userId = ''] = deleted.actor.split(':');
  if (deleted.kind !== 'organization' || kind !== 'user') return;
  const { role } = await managerNow(db, { ...deleted, userId }, session);
  if (role !== 'owner') throw new DomainError('permission_denied', 'Only owners can delete or restore the organization.');
}

async function noteInOrganization({ db }: Context, deletion: DeletionDocument, session: ClientSession): Promise<void> {
  const { kind, _id, state, requested_at, final_at } = deletion;
  if (kind === 'organization')
    await setOrganizationDeletion(db, _id, state === 'pending' ? { requested_at, final_at } : undefined, session);
}

async function audit(
  context: Context,
  { organizationId, actor, kind, id, request }: Deleted,
  action: string,
  details: Record<string, string>,
  session: ClientSession,
): Promise<void> {
  await recordAudit(context, { organizationId, actor, action, targetType: kind, targetId: id, details, request }, session);
}
