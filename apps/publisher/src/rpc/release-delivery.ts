import { toInspectedDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { releaseDelivery as release } from '../operator-requests/release-delivery.ts';
import { pausesOf } from '../pauses/domain/paused.ts';
import { listPauses } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

export const releaseDelivery: Rpc<'releaseDelivery'> = (context) => async (request, call) => {
  const delivery = await release(context, request, call);
  return { delivery: toInspectedDelivery(delivery, pausesOf(await listPauses(context.db), delivery)) };
};
