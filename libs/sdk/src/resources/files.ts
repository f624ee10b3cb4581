import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createFile, deleteFile, getFile, listFiles, updateFile } from '../gen/sdk.gen.ts';
import type { CreateFile, ListFilesData, UpdateFile } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const files = ({ plain, once, edit }: Caller) => ({
  /** Of one folder; without `folder_id`, of the root. */
  list: (business_id: string, query: ListFilesData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listFiles({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } }))),
  get: (business_id: string, file_id: string, options?: CallOptions) =>
    answered(getFile({ ...plain(options), path: { business_id, file_id } })),
  create: (business_id: string, body: CreateFile, options?: OnceOptions) =>
    answered(createFile({ ...once(options), path: { business_id }, body })),
  update: (business_id: string, file_id: string, body: UpdateFile, options?: EditOptions) =>
    answered(updateFile({ ...edit(options), path: { business_id, file_id }, body })),
  delete: (business_id: string, file_id: string, options?: EditOptions) =>
    answered(deleteFile({ ...edit(options), path: { business_id, file_id } })),
});
