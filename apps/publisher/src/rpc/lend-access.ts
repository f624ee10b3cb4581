import { createAccessLender } from '../accounts/lend-access.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const lendAccess: Rpc<'lendAccess'> = (context) => {
  const lend = createAccessLender(context);
  return async (request, call) => {
    const { integration, ...access } = await lend(request, call);
    return { ...access, integration: toIntegration(integration, context.config) };
  };
};
