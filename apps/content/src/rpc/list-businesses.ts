import { listBusinesses as list, toBusiness } from '../store/businesses.ts';
import type { Rpc } from './rpc.ts';

export const listBusinesses: Rpc<'listBusinesses'> =
  ({ db }) =>
  async ({ name, pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, { organizationId: metadata.organizationId, name, pageSize, pageToken });
    return { businesses: rows.map(toBusiness), nextPageToken };
  };
