import { now } from '@fanfare/runtime';
import { newBusinessFields } from '../businesses/business-fields.ts';
import { insertBusiness, toBusiness } from '../businesses/store/businesses.ts';
import type { Rpc } from './rpc.ts';

export const createBusiness: Rpc<'createBusiness'> =
  ({ db }) =>
  async (request, { metadata }) => {
    const at = now(metadata.organizationId);
    const document = await insertBusiness(db, {
      _id: request.businessId,
      organization_id: metadata.organizationId,
      created_at: at,
      updated_at: at,
      revision: 1,
      ...newBusinessFields(request),
    });
    return { business: toBusiness(document) };
  };
