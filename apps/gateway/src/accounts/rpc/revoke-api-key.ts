import { revokeKey } from '../keys/revoke-key.ts';
import { requestedBy } from '../operator-requests/requested-by.ts';
import type { Rpc } from './rpc.ts';

export const revokeApiKey: Rpc<'revokeApiKey'> =
  (context) =>
  async ({ organizationId, apiKeyId: keyId, keepCreated: keepsCreated }, { metadata }) => {
    const ended = await revokeKey(context, { organizationId, keyId, keepsCreated, ...requestedBy(metadata) });
    return { revokedWithIt: ended.filter(({ outcome }) => outcome === 'revoked').map(({ key }) => key._id) };
  };
