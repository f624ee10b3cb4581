import { listDesigns as list } from '../designs/store/designs.ts';
import { toDesign } from '../designs/to-design.ts';
import type { Rpc } from './rpc.ts';

export const listDesigns: Rpc<'listDesigns'> =
  ({ db }) =>
  async ({ pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, metadata, pageSize, pageToken);
    return { designs: rows.map(toDesign), nextPageToken };
  };
