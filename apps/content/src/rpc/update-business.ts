import { notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { changedBusinessFields } from '../businesses/business-fields.ts';
import { checkLogo } from '../businesses/check-logo.ts';
import { toBusiness, updateBusiness as update } from '../businesses/store/businesses.ts';
import { riskCheckRows } from '../risks/store/risk-checks.ts';
import type { Rpc } from './rpc.ts';

export const updateBusiness: Rpc<'updateBusiness'> =
  ({ db, library, transact }) =>
  async (request, call) => {
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
      return { business: toBusiness(document) };
    });
  };
