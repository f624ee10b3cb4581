import type { ClientRequest } from 'node:http';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import { declaredBytesHeader } from '@fanfare/rpc/bytes';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Streamed } from '../http/raw-route.ts';
import { responseOf } from './library-http.ts';
import { checkResponse } from './library-problem.ts';
import { describeUpload } from './upload-description.ts';
import { readUpload, type ReadUpload } from './read-upload.ts';

/** The size limit of the parts besides the file. */
const FORM_BYTES = 64 * 1024;

/**
 * Streams the part `file` of a multipart body to the library as it arrives, without storing it here. The request to the library ends only if the whole body
 * is valid, so that an invalid one stores nothing.
 * @param metadata with the business in the path; otherwise the form contains it
 * @throws DomainError
 */
export async function streamUpload(
  { libraryHttp }: Pick<Context, 'libraryHttp'>,
  { request, ofBusiness, checkCallerAgain }: Streamed,
  { mediaId, parts, metadata }: { mediaId: string; parts: z.ZodObject; metadata: CallMetadata },
): Promise<ReadUpload & { metadata: CallMetadata }> {
  let call = metadata;
  let upstream: ClientRequest | undefined;
  let response: Promise<unknown> | undefined;
  try {
    const read = await readUpload(request, {
      parts,
      async ofBusiness(id) {
        ({ metadata: call } = await ofBusiness(id));
      },
      onFile({ file, fileName, fields: { alt_text, description, folder_id } }, reject) {
        upstream = libraryHttp.request({
          method: 'PUT',
          path: `/uploads/${mediaId}`,
          headers: {
            ...toHeaders(call),
            ...describeUpload({ file_name: fileName, alt_text, description, folder_id }),
            ...declaredBytesHeader(request.headers, FORM_BYTES),
            'content-type': 'application/octet-stream',
          },
        });
        response = responseOf(upstream).then(checkResponse);
        // The library may reject the file before it is complete, for example because it is too large.
        response.catch(reject);
        file.pipe(upstream, { end: false });
      },
    });
    await checkCallerAgain(); // A large file may take longer than a credential is cached.
    upstream?.end();
    // Storing a large file may take longer than the idle timeout. The library sends signs of life, and otherwise the request to it times out.
    request.setTimeout(0);
    await response;
    return { ...read, metadata: call };
  } catch (error) {
    upstream?.destroy();
    throw error;
  }
}
