import type { UpdateBusinessRequest } from '@fanfare/contracts/content';
import { notFound } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { riskCheckRows } from '../../fan-out/store/risk-checks.ts';
import { changedBusinessFields } from '../business-fields.ts';
import { checkLogo } from './check-logo.ts';
import { updateBusiness as update, type BusinessDocument } from '../store/businesses.ts';

/** Changes a business, and has its waiting posts checked again if its link tracking changes. */
export async function updateBusiness(
  { db, library, transact }: Pick<Context, 'db' | 'library' | 'transact'>,
  request: UpdateBusinessRequest,
  call: Call,
): Promise<BusinessDocument> {
  const { organizationId } = call.metadata;
  const { businessId: id, operationId, expectedRevisions } = request;
  const changes = changedBusinessFields(request);
  if (changes.logo_media_id) await checkLogo(library, changes.logo_media_id, id, call);
  const edit = { operationId, expectedRevisions, at: now(organizationId) };
  return transact(async (session) => {
    const document = await update(db, { organizationId, id }, changes, edit, session);
    if (!document) throw notFound('business');
    // Parameters make links longer, so that captions may no longer fit.
    const row = { _id: id, organization_id: organizationId, business_id: id, revision: document.revision ?? 1 };
    if (changes.link_tracking !== undefined) await riskCheckRows.put(db, row, session);
    return document;
  });
}
