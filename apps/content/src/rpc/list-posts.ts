import { listPosts as list, toPost } from '../store/posts.ts';
import type { Rpc } from './rpc.ts';

export const listPosts: Rpc<'listPosts'> =
  ({ db }) =>
  async ({ statuses, pageSize, pageToken }, { metadata }) => {
    const { organizationId, businessId } = metadata;
    const { rows, nextPageToken } = await list(db, { organizationId, businessId, statuses, pageSize, pageToken });
    return { posts: rows.map(toPost), nextPageToken };
  };
