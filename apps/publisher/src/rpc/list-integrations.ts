import { listIntegrations as list, toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const listIntegrations: Rpc<'listIntegrations'> =
  ({ config, db }) =>
  async ({ pageSize, pageToken }, { metadata }) => {
    const { organizationId, businessId } = metadata;
    const { rows, nextPageToken } = await list(db, { organizationId, businessId, pageSize, pageToken });
    return { integrations: rows.map((one) => toIntegration(one, config)), nextPageToken };
  };
