import { listApiKeys as list } from '../store/api-keys.ts';
import { pageRequest } from '../operator-requests/page-request.ts';
import { requiredOrganization } from '../operator-requests/required.ts';
import type { Rpc } from './rpc.ts';

export const listApiKeys: Rpc<'listApiKeys'> =
  ({ db }) =>
  async ({ organizationId, ...request }) => {
    await requiredOrganization(db, organizationId);
    const { rows, nextPageToken } = await list(db, organizationId, pageRequest(request));
    const apiKeys = rows.map((key) => ({
      id: key._id,
      organizationId: key.organization_id,
      name: key.name,
      hint: key.hint,
      createdAt: key.created_at,
      expiresAt: key.expires_at,
      lastUsedAt: key.last_used_at,
    }));
    return { apiKeys, nextPageToken };
  };
