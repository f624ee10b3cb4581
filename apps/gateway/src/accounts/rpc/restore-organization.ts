import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { recordAudit } from '../audit/audit.ts';
import { findOrganization, restoreOrganization as restore, toOrganization } from '../store/organizations.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import type { Rpc } from './rpc.ts';
import { suspensionPauseId } from './suspend-organization.ts';

/** Also resumes the deliveries of an organization that is not suspended, because a suspension or restoration may have been interrupted. */
export const restoreOrganization: Rpc<'restoreOrganization'> =
  (context) =>
  async ({ organizationId }, call) => {
    const { db, mongo, publisher } = context;
    await transaction(mongo.client, async (session) => {
      const before = await restore(db, organizationId, session);
      if (!before) throw notFound('organization');
      if (!before.suspended_at) return;
      const entry = { action: 'organization.restored', targetType: 'organization', targetId: organizationId };
      await recordAudit(context, { organizationId, ...entry, ...requestedBy(call.metadata) }, session);
    });
    await publisher.deletePause({ id: suspensionPauseId(organizationId) }, { call });
    call.log.warn({ restored_organization_id: organizationId }, 'organization restored');
    const after = await findOrganization(db, organizationId);
    if (!after) throw notFound('organization');
    return { organization: toOrganization(after) };
  };
