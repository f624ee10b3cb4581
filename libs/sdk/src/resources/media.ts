import { answered } from '../answer.ts';
import type { OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { importMedia, uploadMedia } from '../gen/sdk.gen.ts';
import type { ImportMedia } from '../gen/types.gen.ts';

/** A picture or a video. */
export interface Upload {
  readonly file: Blob;
  /** For people who cannot see it. */
  readonly alt_text?: string;
}

export const media = ({ once }: Caller) => ({
  upload: (business_id: string, { file, alt_text }: Upload, options?: OnceOptions) =>
    // The API reads the parts in order: what describes the file stands before it.
    answered(uploadMedia({ ...once(options), path: { business_id }, body: { ...(alt_text !== undefined && { alt_text }), file } })),
  /** Fetches it from a public URL. */
  import: (body: ImportMedia, options?: OnceOptions) => answered(importMedia({ ...once(options), body })),
});
