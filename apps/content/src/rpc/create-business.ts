import { now } from '@fanfare/runtime';
import { insertBusiness, toBusiness } from '../store/businesses.ts';
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
      name: request.name,
      description: request.description,
      industry: request.industry,
      website: request.website,
      language: request.language || 'en',
    });
    return { business: toBusiness(document) };
  };
