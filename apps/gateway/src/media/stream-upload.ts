import type { ClientRequest, IncomingMessage } from 'node:http';
import { DomainError, ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { answerOf } from './library-http.ts';
import { readUpload, type ReadUpload } from './read-upload.ts';

/**
 * Streams the part `file` of a multipart body to the library as it arrives; it is never held here. The library hears the end only when the
 * whole body was right, so that nothing is stored of one that is not.
 * @throws DomainError
 */
export async function streamUpload(
  { libraryHttp }: Pick<Context, 'libraryHttp'>,
  request: IncomingMessage,
  { mediaId, metadata, askAgain }: { mediaId: string; metadata: CallMetadata; askAgain: () => Promise<void> },
): Promise<ReadUpload> {
  let upstream: ClientRequest | undefined;
  let answer: Promise<void> | undefined;
  try {
    const read = await readUpload(request, (file, altText, refuse) => {
      const query = altText === undefined ? '' : `?${new URLSearchParams({ alt_text: altText }).toString()}`;
      upstream = libraryHttp.request({
        method: 'PUT',
        path: `/uploads/${mediaId}${query}`,
        headers: { ...toHeaders(metadata), 'content-type': 'application/octet-stream' },
      });
      answer = answerOf(upstream).then(checkAnswer);
      // It may refuse before the body is through: too large, say.
      answer.catch(refuse);
      file.pipe(upstream, { end: false });
    });
    await askAgain(); // A large file takes longer than a credential is believed.
    upstream?.end();
    await answer;
    return read;
  } catch (error) {
    upstream?.destroy();
    throw error;
  }
}

/** The library speaks in the same codes. */
async function checkAnswer(answer: IncomingMessage): Promise<void> {
  answer.setEncoding('utf8');
  let body = '';
  for await (const chunk of answer) body += chunk as string;
  if (answer.statusCode === 200) return;
  const { code, detail, param } = JSON.parse(body) as { code: string; detail: string; param?: string };
  if (!Object.hasOwn(ERROR_TABLE, code)) throw new Error(`The library answered with ${answer.statusCode}.`);
  throw new DomainError(code as ErrorCode, detail, { param });
}
