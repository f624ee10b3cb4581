import { scopeOf } from '../domain/scope.ts';
import { listMedia as list, toMedia } from '../store/media.ts';
import type { Rpc } from './rpc.ts';

export const listMedia: Rpc<'listMedia'> =
  ({ db, urls }) =>
  async ({ folderId = null, pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, scopeOf(metadata), { folderId, pageSize, pageToken });
    return { media: rows.map((one) => toMedia(one, urls)), nextPageToken };
  };
