import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { countSecrets } from './count-secrets.ts';
import { createEndpoint } from './create-endpoint.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { erase } from './erase.ts';
import { getDelivery } from './get-delivery.ts';
import { getEndpoint } from './get-endpoint.ts';
import { getEvent } from './get-event.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEndpoints } from './list-endpoints.ts';
import { listEvents } from './list-events.ts';
import { recoverEndpoint } from './recover-endpoint.ts';
import { redeliverDelivery } from './redeliver-delivery.ts';
import { rotateSecret } from './rotate-secret.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import type { served } from './rpc.ts';
import { testEndpoint } from './test-endpoint.ts';
import { updateEndpoint } from './update-endpoint.ts';

export const handlers = (context: Context): Handlers<typeof served> => ({
  listEvents: listEvents(context),
  getEvent: getEvent(context),
  createEndpoint: createEndpoint(context),
  listEndpoints: listEndpoints(context),
  getEndpoint: getEndpoint(context),
  updateEndpoint: updateEndpoint(context),
  deleteEndpoint: deleteEndpoint(context),
  testEndpoint: testEndpoint(context),
  rotateSecret: rotateSecret(context),
  recoverEndpoint: recoverEndpoint(context),
  listDeliveries: listDeliveries(context),
  getDelivery: getDelivery(context),
  redeliverDelivery: redeliverDelivery(context),
  rotateSecrets: rotateSecrets(context),
  erase: erase(context),
  countSecrets: countSecrets(context),
});
