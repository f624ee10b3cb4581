import { changeIntegration } from '../accounts/change-integration.ts';
import { mergeSettings } from '../domain/merge-settings.ts';
import { toIntegration } from '../store/integrations.ts';
import type { Rpc } from './rpc.ts';

export const updateIntegration: Rpc<'updateIntegration'> =
  (context) =>
  async (request, { metadata }) => {
    const updated = await changeIntegration(context, metadata, request, async (current) => ({
      ...current,
      settings: mergeSettings(current.platform, current.settings ?? {}, request.settings ?? {}),
    }));
    return { integration: toIntegration(updated) };
  };
