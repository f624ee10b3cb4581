import { notFound } from '@fanfare/errors';
import { findOwnIntegration, toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const getIntegration: Rpc<'getIntegration'> =
  ({ config, db }) =>
  async ({ integrationId }, { metadata }) => {
    const found = await findOwnIntegration(db, integrationId, metadata);
    if (!found) throw notFound('integration');
    return { integration: toIntegration(found, config) };
  };
