import { listCategories as list, toCategory } from '../categories/store/categories.ts';
import type { Rpc } from './rpc.ts';

export const listCategories: Rpc<'listCategories'> =
  ({ db }) =>
  async ({ pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, metadata, pageSize, pageToken);
    return { categories: rows.map(toCategory), nextPageToken };
  };
