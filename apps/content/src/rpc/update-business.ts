import { notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { changedBusinessFields } from '../businesses/business-fields.ts';
import { checkLogo } from '../businesses/check-logo.ts';
import { toBusiness, updateBusiness as update } from '../businesses/store/businesses.ts';
import type { Rpc } from './rpc.ts';

export const updateBusiness: Rpc<'updateBusiness'> =
  ({ db, library }) =>
  async (request, call) => {
    const { organizationId } = call.metadata;
    const { businessId: id, operationId, expectedRevisions } = request;
    const changes = changedBusinessFields(request);
    if (changes.logo_media_id) await checkLogo(library, changes.logo_media_id, id, call);
    const edit = { operationId, expectedRevisions, at: now(organizationId) };
    const document = await update(db, { organizationId, id }, changes, edit);
    if (!document) throw notFound('business');
    return { business: toBusiness(document) };
  };
