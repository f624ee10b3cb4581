import { notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { checkRevision } from '../check-revision.ts';
import { findOrganization, setOrganizationName, type OrganizationDocument } from '../store/organizations.ts';
import { checkActing, type Acting } from './acting.ts';

/** @throws DomainError resource_not_found, precondition_failed; authentication_required or permission_denied if the caller has lost its permission */
export async function renameOrganization(
  context: Context,
  acting: Acting & { readonly request: AuditRequest },
  { name, ifRevisions }: { readonly name: string; readonly ifRevisions: readonly number[] },
): Promise<OrganizationDocument> {
  const { organizationId, actor, request } = acting;
  return transaction(context.mongo.client, async (session) => {
    await checkActing(context.db, acting, session);
    const before = await findOrganization(context.db, organizationId, session);
    if (!before) throw notFound('organization');
    checkRevision(ifRevisions, 'organization', before.revision ?? 1);
    if (before.name === name) return before;
    const target = { targetType: 'organization', targetId: organizationId };
    const details = { from: before.name, to: name };
    await recordAudit(context, { organizationId, actor, action: 'organization.renamed', ...target, details, request }, session);
    return (await setOrganizationName(context.db, organizationId, name, session)) ?? before;
  });
}
