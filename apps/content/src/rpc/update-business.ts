import { toBusiness } from '../businesses/store/businesses.ts';
import { updateBusiness as update } from '../businesses/editing/update-business.ts';
import type { Rpc } from './rpc.ts';

export const updateBusiness: Rpc<'updateBusiness'> = (context) => async (request, call) => ({
  business: toBusiness(await update(context, request, call)),
});
