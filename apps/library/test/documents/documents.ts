import type { File, Folder } from '@fanfare/contracts/library/documents';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import { aCall, type TestLibrary } from '../start-library.ts';

export type Call = { metadata: CallMetadata };

/** A call for a new business, in a new organization unless `more` has one. */
export const aBusiness = (more: Partial<CallMetadata> = {}): Call => aCall({ organizationId: newId(), businessId: newId(), ...more });

/** The calls of one business about documents, each with a new operation id by default. */
export function documentsOf({ client }: Pick<TestLibrary, 'client'>, call: Call, timeoutMs = 60_000) {
  const options = { call, timeoutMs };
  return {
    createFolder: async (name: string, parentId?: string, folderId = newId()): Promise<Folder> =>
      present((await client.createFolder({ operationId: newId(), folderId, name, parentId }, options)).folder),
    getFolder: async (folderId: string): Promise<Folder> => present((await client.getFolder({ folderId }, options)).folder),
    updateFolder: async (
      folderId: string,
      changes: { name?: string; parentId?: string },
      { operationId = newId(), expectedRevisions = [] as number[] } = {},
    ): Promise<Folder> =>
      present(
        (await client.updateFolder({ operationId, folderId, expectedRevisions, name: undefined, parentId: undefined, ...changes }, options))
          .folder,
      ),
    deleteFolder: (folderId: string, { operationId = newId(), expectedRevisions = [] as number[] } = {}) =>
      client.deleteFolder({ operationId, folderId, expectedRevisions }, options),
    listFolders: (folderId?: string, { pageSize = 100, pageToken = '' } = {}) =>
      client.listFolders({ folderId, pageSize, pageToken }, options),

    createFile: async (name: string, content = '', parentId?: string, fileId = newId()): Promise<File> =>
      present((await client.createFile({ operationId: newId(), fileId, name, parentId, content }, options)).file),
    getFile: async (fileId: string): Promise<File> => present((await client.getFile({ fileId }, options)).file),
    updateFile: async (
      fileId: string,
      changes: { name?: string; parentId?: string; content?: string },
      { operationId = newId(), expectedRevisions = [] as number[] } = {},
    ): Promise<File> => {
      const nothing = { name: undefined, parentId: undefined, content: undefined };
      return present((await client.updateFile({ operationId, fileId, expectedRevisions, ...nothing, ...changes }, options)).file);
    },
    deleteFile: (fileId: string, { operationId = newId(), expectedRevisions = [] as number[] } = {}) =>
      client.deleteFile({ operationId, fileId, expectedRevisions }, options),
    listFiles: (folderId?: string, { pageSize = 100, pageToken = '' } = {}) => client.listFiles({ folderId, pageSize, pageToken }, options),
  };
}

/** Examples. All rules are tested in `names.test.ts`. */
export const BAD_NAMES: [what: string, name: string][] = [
  ['empty', ''],
  ['of 10,000 characters', 'x'.repeat(10_000)],
  ['with a slash', 'a/b'],
  ['two dots', '..'],
  ['with NUL', 'a\0b'],
  ['with a right-to-left override', '\u202egpj.exe'],
  ['with a space before it', ' a'],
];

export type Documents = ReturnType<typeof documentsOf>;

/** The outcome of each promise, sorted: `done`, or the code of the error. */
export async function outcomes(all: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(all);
  return results
    .map((one) => (one.status === 'fulfilled' ? 'done' : ((one.reason as { code?: string }).code ?? String(one.reason))))
    .sort();
}

function present<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('The response of the library is empty.');
  return one;
}
