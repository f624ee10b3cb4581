import { startWorker, type Worker } from '@fanfare/leased-work';
import type { Context } from '../context.ts';
import type { EndpointDocument } from '../endpoints/endpoint.ts';
import { endpointRows } from '../endpoints/store/endpoints.ts';
import { sendDue } from './send-due.ts';

/** Sends what is due. A process leases an endpoint while it has something to send, and is then the only one that sends to it. */
export function startSender(context: Context): Worker {
  const { config, db, log } = context;
  const { endpointsAtOnce, leaseMs, idleMs } = config.sending;
  return startWorker<EndpointDocument>({
    ...{ name: 'send-webhooks', db, log, rows: endpointRows, size: endpointsAtOnce, leaseMs, idleMs },
    idsOf: ({ _id, organization_id }) => ({ endpoint_id: _id, organization_id }),
    work: (lease) => sendDue(context, lease),
  });
}
