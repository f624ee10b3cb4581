import { DomainError } from '@fanfare/errors';
import { changeIntegration } from '../accounts/change-integration.ts';
import { mergeSettings } from '../accounts/domain/merge-settings.ts';
import { toIntegration } from '../accounts/store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const updateIntegration: Rpc<'updateIntegration'> =
  (context) =>
  async (request, { metadata }) => {
    const { settings } = request;
    if (!settings) throw new DomainError('invalid_request', 'There is nothing to update. Set at least one field.');
    const updated = await changeIntegration(context, metadata, request, async (current) => ({
      ...current,
      settings: mergeSettings(current.platform, current.settings ?? {}, settings),
    }));
    return { integration: toIntegration(updated, context.config) };
  };
