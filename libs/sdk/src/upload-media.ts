import type { OnceOptions } from './call-options.ts';
import type { Caller } from './caller.ts';
import { uploadMedia } from './gen/sdk.gen.ts';
import type { UploadMedia } from './gen/types.gen.ts';
import { bodyOf } from './response-info.ts';

/** An image, a video or an audio file. */
export interface Upload extends Omit<UploadMedia, 'file'> {
  /** A File has a name, which is sent too. */
  readonly file: Blob;
}

/** A file takes longer than other calls: each attempt can take this long unless the call says otherwise. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

export const uploadMediaBy =
  ({ once }: Caller) =>
  /** Uploads a file. Retries keep it in memory: for large files, use a client of resumable uploads. */
  (business_id: string, { file, ...description }: Upload, options?: OnceOptions) =>
    // The API reads the parts in order: what describes the file has to be sent before it.
    bodyOf(
      uploadMedia({
        ...once({ ...options, timeoutMs: options?.timeoutMs ?? UPLOAD_TIMEOUT_MS }),
        path: { business_id },
        body: { ...description, file },
      }),
    );
