import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit } from '../audit/audit.ts';
import { findOrganization, suspendOrganization as suspend, toOrganization } from '../store/organizations.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

/** First pauses the organization's deliveries, then rejects its keys and members. If it is interrupted in between, repeat it, or restore the organization. */
export const suspendOrganization: Rpc<'suspendOrganization'> =
  (context) =>
  async ({ organizationId, reason: given }, call) => {
    const { db, mongo, publisher } = context;
    const reason = required('reason', given);
    if (!(await findOrganization(db, organizationId))) throw notFound('organization');
    const everything = { platform: undefined, integrationId: undefined };
    await publisher.putPause({ ...everything, organizationId, reason: `Suspended: ${reason}`, suspension: true }, { call });
    await transaction(mongo.client, async (session) => {
      const before = await suspend(db, organizationId, reason, session);
      if (!before || before.suspended_at) return;
      const entry = { action: 'organization.suspended', targetType: 'organization', targetId: organizationId };
      await recordAudit(context, { organizationId, ...entry, ...requestedBy(call.metadata) }, session);
    });
    call.log.warn({ suspended_organization_id: organizationId, reason }, 'organization suspended');
    const after = await findOrganization(db, organizationId);
    if (!after) throw notFound('organization');
    return { organization: toOrganization(after) };
  };

/** The publisher's id of the pause of a suspended organization. */
export const suspensionPauseId = (organizationId: string) => `suspension:${organizationId}`;
