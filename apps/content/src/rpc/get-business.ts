import { notFound } from '@fanfare/errors';
import { findBusiness, toBusiness } from '../businesses/store/businesses.ts';
import type { Rpc } from './rpc.ts';

/** Not scoped by organization: the gateway reads which organization a business belongs to. */
export const getBusiness: Rpc<'getBusiness'> =
  ({ db }) =>
  async ({ businessId }) => {
    const document = await findBusiness(db, businessId);
    if (!document) throw notFound('business');
    return { business: toBusiness(document) };
  };
