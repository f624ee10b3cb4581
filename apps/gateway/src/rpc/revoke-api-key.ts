import { revokeKey } from '../keys/revoke-key.ts';
import { askedBy } from './asked-by.ts';
import type { Rpc } from './rpc.ts';

export const revokeApiKey: Rpc<'revokeApiKey'> =
  (context) =>
  async ({ organizationId, apiKeyId: keyId }, { metadata }) => {
    await revokeKey(context, { organizationId, keyId, ...askedBy(metadata) });
    return {};
  };
