import { present } from '@fanfare/resources';
import type { File } from '@fanfare/contracts/library/documents';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { folderParam, readFolderId } from '../folders/folder-id.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { revisionOf } from '../common/revision-of.ts';
import { checkContent, createFileBody, file, FILE_BODY_BYTES, fileFromProto, updateFileBody } from './file.ts';
import { exampleFile } from './file-example.ts';

const ofBusiness = { business_id: z.uuid() };
const oneFile = { ...ofBusiness, file_id: z.uuid() };
const files = { tag: 'Files', scope: 'business', resource: 'file', query: {} } as const;
const collection = { ...files, path: '/api/businesses/{business_id}/files', params: ofBusiness } as const;
const single = { ...files, path: '/api/businesses/{business_id}/files/{file_id}', params: oneFile } as const;

const listFiles = route({
  ...collection,
  method: 'get',
  operationId: 'list_files',
  sdkMethod: 'files.list',
  access: access.read,
  self: 'page',
  summary: 'List the files in a folder',
  description:
    'Text documents, newest first. `list_library` lists media. If texts are long, a page has fewer items than `limit`, with a `next`.',
  query: { folder_id: folderParam(), limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(file, 'FilePage'),
  status: 200,
  examples: { response: { items: [exampleFile], next: null } },
  async handler({ library }, { query, call }) {
    const { folder_id, limit: pageSize, cursor: pageToken } = query;
    const { files, nextPageToken } = await library.listFiles({ folderId: folder_id ?? undefined, pageSize, pageToken }, { call });
    return { body: { items: files.map(fileFromProto), next: nextOf(nextPageToken) } };
  },
});

const createFile = route({
  ...collection,
  method: 'post',
  operationId: 'create_file',
  sdkMethod: 'files.create',
  access: access.write,
  idempotent: true,
  summary: 'Create a file',
  body: createFileBody,
  bodyBytes: FILE_BODY_BYTES,
  returns: file,
  status: 201,
  errors: ['invalid_value'],
  examples: {
    body: { name: exampleFile.name, content: exampleFile.body_text, parent_id: exampleFile.parent_id },
    response: exampleFile,
  },
  async handler({ library }, { body, ids, call }) {
    const given = { name: body.name, content: checkContent(body.content) ?? '' };
    const parentId = readFolderId(body.parent_id, 'parent_id') || undefined;
    const request = { operationId: ids.operationId, fileId: ids.resourceId, ...given, parentId };
    const created = present((await library.createFile(request, { call })).file);
    return { ...shown(created), location: `/api/businesses/${created.businessId}/files/${created.id}` };
  },
});

const getFile = route({
  ...single,
  method: 'get',
  operationId: 'get_file',
  sdkMethod: 'files.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a file',
  returns: file,
  status: 200,
  examples: { response: exampleFile },
  handler: async ({ library }, { params, call }) => shown((await library.getFile({ fileId: params.file_id }, { call })).file),
});

const updateFile = route({
  ...single,
  method: 'put',
  operationId: 'update_file',
  sdkMethod: 'files.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a file',
  description: 'Changes the text, renames or moves the file. Only the fields you send change. `parent_id: null` moves it to the root.',
  body: updateFileBody,
  bodyBytes: FILE_BODY_BYTES,
  returns: file,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'precondition_failed'],
  examples: { body: { content: exampleFile.body_text }, response: exampleFile },
  async handler({ library }, { params, body, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, fileId: params.file_id, expectedRevisions: [...ifRevisions] };
    const given = { name: body.name, content: checkContent(body.content), parentId: readFolderId(body.parent_id, 'parent_id') };
    return shown((await library.updateFile({ ...edit, ...given }, { call })).file);
  },
});

const deleteFile = route({
  ...single,
  method: 'delete',
  operationId: 'delete_file',
  sdkMethod: 'files.delete',
  access: access.write,
  summary: 'Delete a file',
  returns: deleted,
  status: 200,
  errors: ['precondition_failed'],
  async handler({ library }, { params, ids, ifRevisions, call }) {
    const request = { operationId: ids.operationId, fileId: params.file_id, expectedRevisions: [...ifRevisions] };
    await library.deleteFile(request, { call });
    return DELETED;
  },
});

export const fileRoutes: readonly Route[] = [listFiles, createFile, getFile, updateFile, deleteFile];

/** The path changes with the parent folders, and `media` with the media. Neither is part of the revision, but both are part of the ETag. */
function shown(given: File | undefined) {
  const one = present(given);
  return { body: fileFromProto(one), revision: one.revision, reading: revisionOf([one.path, one.media]) };
}
