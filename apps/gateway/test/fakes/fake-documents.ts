import type { LibraryServiceService } from '@fanfare/contracts/library';
import { File, Folder } from '@fanfare/contracts/library/documents';
import { DomainError, notFound } from '@fanfare/errors';
import type { Call, Handlers } from '@fanfare/rpc';
import { pageOf, tokenAfter } from '../pages.ts';
import { AT } from '../values.ts';
import type { Note } from '../note.ts';

type Fakes = Pick<
  Handlers<typeof LibraryServiceService>,
  `${'create' | 'get' | 'update' | 'delete'}${'File' | 'Folder'}` | 'listFiles' | 'listFolders'
>;

export interface FakeDocuments {
  readonly files: Map<string, File>;
  readonly folders: Map<string, Folder>;
}

/** The library's files and folders without its rules, which are tested with the real one. */
export function fakeDocuments({ files, folders }: FakeDocuments, note: Note): Fakes {
  const ofBusiness = <T extends { businessId: string }>(all: Map<string, T>, { metadata }: Call) =>
    [...all.values()].filter(({ businessId }) => businessId === metadata.businessId);
  const found = <T>(one: T | undefined, what: string): T => {
    if (!one) throw notFound(what);
    return one;
  };
  const times = { createdAt: AT, updatedAt: AT, revision: 1 };

  return {
    async createFolder(request, call) {
      note('createFolder', request, call);
      const { folderId: id, name, parentId } = request;
      const folder = Folder.fromPartial({ id, businessId: call.metadata.businessId, ...times, name, path: `/${name}`, parentId });
      folders.set(id, folder);
      return { folder };
    },
    async getFolder(request, call) {
      note('getFolder', request, call);
      return { folder: found(folders.get(request.folderId), 'folder') };
    },
    async listFolders(request, call) {
      note('listFolders', request, call);
      return { folders: ofBusiness(folders, call).filter(({ id }) => id !== request.folderId), nextPageToken: '' };
    },
    async updateFolder(request, call) {
      note('updateFolder', request, call);
      if (request.name === undefined && request.parentId === undefined) throw new DomainError('invalid_request', 'Nothing is given.');
      const folder = found(folders.get(request.folderId), 'folder');
      const { name = folder.name } = request;
      const updated = { ...folder, name, path: `/${name}`, revision: folder.revision + 1 };
      folders.set(folder.id, updated);
      return { folder: updated };
    },
    async deleteFolder(request, call) {
      note('deleteFolder', request, call);
      found(folders.get(request.folderId), 'folder');
      return {};
    },
    async createFile(request, call) {
      note('createFile', request, call);
      const { fileId: id, name, parentId, content: bodyText } = request;
      const file = File.fromPartial({ id, businessId: call.metadata.businessId, ...times, name, path: `/${name}`, parentId, bodyText });
      files.set(id, file);
      return { file };
    },
    async getFile(request, call) {
      note('getFile', request, call);
      return { file: found(files.get(request.fileId), 'file') };
    },
    async listFiles(request, call) {
      note('listFiles', request, call);
      const found = ofBusiness(files, call).filter(({ parentId }) => parentId === undefined || parentId === request.folderId);
      return { files: pageOf(found, request), nextPageToken: tokenAfter(request) };
    },
    async updateFile(request, call) {
      note('updateFile', request, call);
      if (request.name === undefined && request.parentId === undefined && request.content === undefined)
        throw new DomainError('invalid_request', 'Nothing is given.');
      const file = found(files.get(request.fileId), 'file');
      const { name = file.name, content = file.bodyText } = request;
      const updated = { ...file, name, path: `/${name}`, bodyText: content, revision: file.revision + 1 };
      files.set(file.id, updated);
      return { file: updated };
    },
    async deleteFile(request, call) {
      note('deleteFile', request, call);
      found(files.get(request.fileId), 'file');
      return {};
    },
  };
}
