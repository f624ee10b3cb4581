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

/** The parts beside the file take no more than this. */
const FORM_BYTES = 64 * 1024;

/**
 * Streams the part `file` of a multipart body to the library as it arrives; it is never held here. The library hears the end only when the
 * whole body was right, so that nothing is stored of one that is not.
 * @param metadata of the business in the path; the form says it otherwise
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
      onFile({ file, fileName, fields: { alt_text, description, folder_id } }, refuse) {
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
        // It may refuse before the body is through: too large, say.
        response.catch(refuse);
        file.pipe(upstream, { end: false });
      },
    });
    await checkCallerAgain(); // A large file takes longer than a credential is believed.
    upstream?.end();
    // Storing a large file takes longer than a silent connection lives. The library gives signs of life, or is not waited for.
    request.setTimeout(0);
    await response;
    return { ...read, metadata: call };
  } catch (error) {
    upstream?.destroy();
    throw error;
  }
}
