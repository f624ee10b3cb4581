import { present } from '@fanfare/resources';
import type { Folder } from '@fanfare/contracts/library/documents';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { revisionOf } from '../common/revision-of.ts';
import { createFolderBody, folder, folderFromProto, updateFolderBody } from './folder.ts';
import { exampleFolder } from './folder-example.ts';
import { folderParam, readFolderId } from './folder-id.ts';

const ofBusiness = { business_id: z.uuid() };
const oneFolder = { ...ofBusiness, folder_id: z.uuid() };
const folders = { tag: 'Folders', scope: 'business', resource: 'folder', query: {} } as const;
const collection = { ...folders, path: '/api/businesses/{business_id}/folders', params: ofBusiness } as const;
const single = { ...folders, path: '/api/businesses/{business_id}/folders/{folder_id}', params: oneFolder } as const;

const listFolders = route({
  ...collection,
  method: 'get',
  operationId: 'list_folders',
  sdkMethod: 'folders.list',
  access: access.read,
  self: 'page',
  summary: 'List the folders in a folder',
  description: 'Newest first.',
  query: { folder_id: folderParam(), limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(folder, 'FolderPage'),
  status: 200,
  examples: { response: { items: [exampleFolder], next: null } },
  async handler({ library }, { query, call }) {
    const { folder_id, limit: pageSize, cursor: pageToken } = query;
    const { folders, nextPageToken } = await library.listFolders({ folderId: folder_id ?? undefined, pageSize, pageToken }, { call });
    return { body: { items: folders.map(folderFromProto), next: nextOf(nextPageToken) } };
  },
});

const createFolder = route({
  ...collection,
  method: 'post',
  operationId: 'create_folder',
  sdkMethod: 'folders.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a folder',
  description: 'Folders can be nested up to 20 levels deep.',
  body: createFolderBody,
  returns: folder,
  status: 201,
  errors: ['invalid_value'],
  examples: { body: { name: 'Brand' }, response: exampleFolder },
  async handler({ library }, { body, ids, call }) {
    const parentId = readFolderId(body.parent_id, 'parent_id') || undefined;
    const request = { operationId: ids.operationId, folderId: ids.resourceId, name: body.name, parentId };
    const created = present((await library.createFolder(request, { call })).folder);
    return { ...shown(created), location: `/api/businesses/${created.businessId}/folders/${created.id}` };
  },
});

const getFolder = route({
  ...single,
  method: 'get',
  operationId: 'get_folder',
  sdkMethod: 'folders.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a folder',
  returns: folder,
  status: 200,
  examples: { response: exampleFolder },
  handler: async ({ library }, { params, call }) => shown((await library.getFolder({ folderId: params.folder_id }, { call })).folder),
});

const updateFolder = route({
  ...single,
  method: 'patch',
  operationId: 'update_folder',
  sdkMethod: 'folders.update',
  access: access.write,
  self: 'resource',
  summary: 'Rename or move a folder',
  description: 'The contents stay in the folder. `parent_id: null` moves it to the root.',
  body: updateFolderBody,
  returns: folder,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  examples: { body: { name: 'Brand' }, response: exampleFolder },
  async handler({ library }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, folderId: params.folder_id, expectedRevisions: [...ifRevisions] };
    const request = { ...edit, name: body.name, parentId: readFolderId(body.parent_id, 'parent_id') };
    return shown((await library.updateFolder(request, { call })).folder);
  },
});

const deleteFolder = route({
  ...single,
  method: 'delete',
  operationId: 'delete_folder',
  sdkMethod: 'folders.delete',
  access: access.write,
  summary: 'Delete a folder',
  description: 'The folder must be empty: otherwise the request is rejected with 400 `invalid_request`.',
  returns: deleted,
  status: 200,
  errors: ['invalid_request', 'precondition_failed'],
  async handler({ library }, { params, ids, ifRevisions, call }) {
    const request = { operationId: ids.operationId, folderId: params.folder_id, expectedRevisions: [...ifRevisions] };
    await library.deleteFolder(request, { call });
    return DELETED;
  },
});

export const folderRoutes: readonly Route[] = [listFolders, createFolder, getFolder, updateFolder, deleteFolder];

/** The path changes with the parent folders and is not part of the revision, but of the ETag. */
function shown(given: Folder | undefined) {
  const one = present(given);
  return { body: folderFromProto(one), revision: one.revision, reading: revisionOf([one.path]) };
}
