import { listBusinessIntegrations } from '../targets/store/integrations.ts';
import { resolveTargets } from '../targets/targets.ts';
import type { Rpc } from './rpc.ts';

export const listTargets: Rpc<'listTargets'> =
  ({ db }) =>
  async (_request, { metadata }) => {
    const integrations = await listBusinessIntegrations(db, metadata.businessId);
    return { targets: resolveTargets({ platforms: [], integrationIds: [] }, integrations).targets };
  };
