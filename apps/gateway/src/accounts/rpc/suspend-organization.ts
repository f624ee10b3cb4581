import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit } from '../audit/audit.ts';
import { findOrganization, suspendOrganization as suspend, toOrganization } from '../store/organizations.ts';
import { askedBy } from '../operator-requests/asked-by.ts';
import { required } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

/** First what it has to publish is held, then it is shut out. Cut short in between, it is asked for again, or taken back by a restoration. */
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
      await recordAudit(context, { organizationId, ...entry, ...askedBy(call.metadata) }, session);
    });
    call.log.warn({ suspended_organization_id: organizationId, reason }, 'organization suspended');
    const after = await findOrganization(db, organizationId);
    if (!after) throw notFound('organization');
    return { organization: toOrganization(after) };
  };

/** As the publisher names the pause of a suspended organization. */
export const suspensionPauseId = (organizationId: string) => `suspension:${organizationId}`;
