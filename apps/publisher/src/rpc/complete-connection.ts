import { completeConnection as complete } from '../accounts/connections/complete-connection.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const completeConnection: Rpc<'completeConnection'> = (context) => async (request, call) => {
  const integrations = await complete(context, request, call);
  return { integrations: integrations.map((one) => toIntegration(one, context.config)) };
};
