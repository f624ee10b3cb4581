import { toInspectedDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { retryDelivery as retry } from '../operator-requests/retry-delivery.ts';
import { pausesOf } from '../pauses/domain/paused.ts';
import { listPauses } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const retryDelivery: Rpc<'retryDelivery'> = (context) => async (request, call) => {
  const { delivery, result } = await retry(context, request, call);
  return { delivery: toInspectedDelivery(delivery, pausesOf(await listPauses(context.db), delivery)), result };
};
