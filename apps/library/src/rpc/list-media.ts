import { scopeOf } from '../scope.ts';
import { folderChain, noFolderToList } from '../documents/store/folders.ts';
import { listMedia as list, toMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const listMedia: Rpc<'listMedia'> =
  ({ db, urls }) =>
  async ({ folderId: given = null, allFolders, pageSize, pageToken }, { metadata }) => {
    const scope = scopeOf(metadata);
    const folderId = allFolders ? undefined : given;
    if (folderId && !(await folderChain(db, scope, folderId))) throw await noFolderToList(db, scope, folderId);
    const { rows, nextPageToken } = await list(db, scope, { folderId, pageSize, pageToken });
    return { media: rows.map((one) => toMedia(one, urls)), nextPageToken };
  };
