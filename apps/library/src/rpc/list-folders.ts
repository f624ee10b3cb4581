import { listFolder } from '../documents/list-folder.ts';
import { scopeOf } from '../scope.ts';
import { toFolder } from '../documents/store/node-messages.ts';
import type { Rpc } from './rpc.ts';

export const listFolders: Rpc<'listFolders'> =
  (context) =>
  async (request, { metadata }) => {
    const { list, page } = await listFolder(context, scopeOf(metadata), 'folder', request);
    return { folders: page.rows.map((folder) => toFolder(folder, list.path)), nextPageToken: page.nextPageToken };
  };
