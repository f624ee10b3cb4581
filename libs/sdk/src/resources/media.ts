import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { deleteMedia, getMedia, importMedia, listLibrary, updateMedia, uploadMedia } from '../gen/sdk.gen.ts';
import type { DeleteMediaData, ImportMedia, ListLibraryData, UpdateMedia, UploadMedia } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

/** A picture, a video or a sound. */
export interface Upload extends Omit<UploadMedia, 'file'> {
  /** A File brings its name along. */
  readonly file: Blob;
}

/** A file takes longer than other calls: a try gets this long unless the call says otherwise. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

export const media = ({ plain, once, edit }: Caller) => ({
  list: (business_id: string, query: ListLibraryData['query'] = {}, options?: CallOptions) =>
    listing((cursor) =>
      answered(listLibrary({ ...plain(options), path: { business_id }, query: { ...query, ...(cursor && { cursor }) } })),
    ),
  /** Also one that is still being fetched or looked at: its `status` says so. */
  get: (business_id: string, media_id: string, options?: CallOptions) =>
    answered(getMedia({ ...plain(options), path: { business_id, media_id } })),
  update: (business_id: string, media_id: string, body: UpdateMedia, options?: EditOptions) =>
    answered(updateMedia({ ...edit(options), path: { business_id, media_id }, body })),
  delete: (business_id: string, media_id: string, query: DeleteMediaData['query'] = {}, options?: EditOptions) =>
    answered(deleteMedia({ ...edit(options), path: { business_id, media_id }, query })),
  /** Retries keep the file in memory: what is large is for a client of resumable uploads. */
  upload: (business_id: string, { file, ...description }: Upload, options?: OnceOptions) =>
    // The API reads the parts in order: what describes the file stands before it.
    answered(
      uploadMedia({
        ...once({ ...options, timeoutMs: options?.timeoutMs ?? UPLOAD_TIMEOUT_MS }),
        path: { business_id },
        body: { ...description, file },
      }),
    ),
  /** Fetches it from a public URL. */
  import: (body: ImportMedia, options?: OnceOptions) => answered(importMedia({ ...once(options), body })),
});
