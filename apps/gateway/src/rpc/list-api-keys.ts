import { listApiKeys as list } from '../store/api-keys.ts';
import type { Rpc } from './rpc.ts';

export const listApiKeys: Rpc<'listApiKeys'> =
  ({ db }) =>
  async ({ organizationId, pageSize, pageToken }) => {
    const { rows, nextPageToken } = await list(db, organizationId, { pageSize: Math.min(Math.max(pageSize, 1), 100), pageToken });
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
