import { notFound } from '@fanfare/errors';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { restoreOrganization as restore } from '../people/suspend-organization.ts';
import { findOrganization, toOrganization } from '../store/organizations.ts';
import type { Rpc } from './rpc.ts';

export const restoreOrganization: Rpc<'restoreOrganization'> =
  (context) =>
  async ({ organizationId }, call) => {
    await restore(context, { organizationId, ...requestedBy(call.metadata) }, call);
    call.log.warn({ restored_organization_id: organizationId }, 'organization restored');
    const after = await findOrganization(context.db, organizationId);
    if (!after) throw notFound('organization');
    return { organization: toOrganization(after) };
  };
