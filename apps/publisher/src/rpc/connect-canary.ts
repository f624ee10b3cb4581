import { CANARY } from '@fanfare/runtime';
import { connectCanary as connect } from '../accounts/connections/connect-canary.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import { contextFor } from '../canary/context-for.ts';
import type { Rpc } from './rpc.ts';

export const connectCanary: Rpc<'connectCanary'> =
  (context) =>
  async (_, { metadata: { flowId } }) => {
    const { config } = contextFor(context, CANARY.organizationId);
    return { integration: toIntegration(await connect(context, flowId), config) };
  };
