import { listBusinesses as list, toBusiness } from '../businesses/store/businesses.ts';
import type { Rpc } from './rpc.ts';

export const listBusinesses: Rpc<'listBusinesses'> =
  ({ db }) =>
  async ({ organizationIds, name, pageSize, pageToken }, { metadata }) => {
    const whose = organizationIds.length === 0 ? [metadata.organizationId] : organizationIds;
    const { rows, nextPageToken } = await list(db, { organizationIds: whose, name, pageSize, pageToken });
    return { businesses: rows.map(toBusiness), nextPageToken };
  };
