import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from '../gen/sdk.gen.ts';
import type { CreateFolder, ListFoldersData, UpdateFolder } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const folders = ({ plain, once, edit }: Caller) => ({
  /** Those in one folder; without `folder_id`, in the root. */
  list: (business_id: string, query: ListFoldersData['query'] = {}, options?: CallOptions) =>
    listing((cursor) =>
      answered(listFolders({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } })),
    ),
  get: (business_id: string, folder_id: string, options?: CallOptions) =>
    answered(getFolder({ ...plain(options), path: { business_id, folder_id } })),
  create: (business_id: string, body: CreateFolder, options?: OnceOptions) =>
    answered(createFolder({ ...once(options), path: { business_id }, body })),
  update: (business_id: string, folder_id: string, body: UpdateFolder, options?: EditOptions) =>
    answered(updateFolder({ ...edit(options), path: { business_id, folder_id }, body })),
  delete: (business_id: string, folder_id: string, options?: EditOptions) =>
    answered(deleteFolder({ ...edit(options), path: { business_id, folder_id } })),
});
