import { notFound } from '@fanfare/errors';
import { requestedBy } from '../operator-requests/requested-by.ts';
import { required } from '../operator-requests/required.ts';
import { suspendOrganization as suspend } from '../people/suspend-organization.ts';
import { findOrganization, toOrganization } from '../store/organizations.ts';
import type { Rpc } from './rpc.ts';

export const suspendOrganization: Rpc<'suspendOrganization'> =
  (context) =>
  async ({ organizationId, reason: given }, call) => {
    const reason = required('reason', given);
    await suspend(context, { organizationId, ...requestedBy(call.metadata) }, reason, call);
    call.log.warn({ suspended_organization_id: organizationId, reason }, 'organization suspended');
    const after = await findOrganization(context.db, organizationId);
    if (!after) throw notFound('organization');
    return { organization: toOrganization(after) };
  };
