import { revokeKey } from '../keys/revoke-key.ts';
import type { Rpc } from './rpc.ts';

export const revokeApiKey: Rpc<'revokeApiKey'> =
  (context) =>
  async ({ organizationId, apiKeyId: keyId }, { metadata }) => {
    await revokeKey(context, { organizationId, keyId, actor: metadata.actor, request: { requestId: metadata.requestId } });
    return {};
  };
