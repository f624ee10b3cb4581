import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { Call } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { findOrganization, restoreOrganization as restore, suspendOrganization as suspend } from '../store/organizations.ts';

/** The organization that an operator suspends or restores. */
interface Suspended {
  readonly organizationId: string;
  readonly actor: string;
  readonly request: AuditRequest;
}

/**
 * First pauses the organization's deliveries, then rejects its keys and members. If it is interrupted in between, repeat it, or restore the organization.
 * @throws DomainError resource_not_found
 */
export async function suspendOrganization(
  context: Context,
  { organizationId, actor, request }: Suspended,
  reason: string,
  call: Call,
): Promise<void> {
  const { db, mongo, publisher } = context;
  if (!(await findOrganization(db, organizationId))) throw notFound('organization');
  const everything = { platform: undefined, integrationId: undefined };
  await publisher.putPause({ ...everything, organizationId, reason: `Suspended: ${reason}`, suspension: true }, { call });
  await transaction(mongo.client, async (session) => {
    const before = await suspend(db, organizationId, reason, session);
    if (!before || before.suspended_at) return;
    const entry = { action: 'organization.suspended', targetType: 'organization', targetId: organizationId };
    await recordAudit(context, { organizationId, ...entry, actor, request }, session);
  });
}

/**
 * Also resumes the deliveries of an organization that is not suspended, because a suspension or restoration may have been interrupted.
 * @throws DomainError resource_not_found
 */
export async function restoreOrganization(context: Context, { organizationId, actor, request }: Suspended, call: Call): Promise<void> {
  const { db, mongo, publisher } = context;
  await transaction(mongo.client, async (session) => {
    const before = await restore(db, organizationId, session);
    if (!before) throw notFound('organization');
    if (!before.suspended_at) return;
    const entry = { action: 'organization.restored', targetType: 'organization', targetId: organizationId };
    await recordAudit(context, { organizationId, ...entry, actor, request }, session);
  });
  await publisher.deletePause({ id: suspensionPauseId(organizationId) }, { call });
}

/** The publisher's id of the pause of a suspended organization. */
const suspensionPauseId = (organizationId: string) => `suspension:${organizationId}`;
