import type { ClientRequest, IncomingMessage } from 'node:http';
import { DomainError, ERROR_TABLE, type ErrorCode } from '@fanfare/errors';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import busboy, { type Busboy } from 'busboy';
import type { Context } from '../context.ts';
import { answerOf } from './library-http.ts';

const MAX_ALT_TEXT = 2000;
const LIMITS = { files: 1, fields: 1, parts: 10, fieldSize: 4 * MAX_ALT_TEXT, fieldNameSize: 100 };

/**
 * Streams the part `file` of a multipart body to the library as it arrives; it is never held here. The library hears the end only when the
 * whole body was right, so that nothing is stored of one that is not.
 * @throws DomainError
 */
export async function streamUpload(
  { libraryHttp }: Pick<Context, 'libraryHttp'>,
  request: IncomingMessage,
  { mediaId, metadata }: { mediaId: string; metadata: CallMetadata },
): Promise<void> {
  const form = openForm(request);
  let upstream: ClientRequest | undefined;
  let answer: Promise<void> | undefined;
  let altText: string | undefined;

  try {
    await new Promise<void>((resolve, reject) => {
      form.on('field', (name, value, { valueTruncated }) => {
        if (name !== 'alt_text') reject(unknownPart(name));
        else if (valueTruncated || value.length > MAX_ALT_TEXT)
          reject(misshapen('alt_text', `alt_text has at most ${MAX_ALT_TEXT} characters.`));
        else if (upstream) reject(new DomainError('invalid_request', 'alt_text must stand before the file.', { param: 'alt_text' }));
        else altText = value;
      });
      form.on('file', (name, file) => {
        file.on('error', () => undefined); // A body that breaks off errs here too; the form's own error tells of it.
        if (name !== 'file') return reject(unknownPart(name));
        const query = altText === undefined ? '' : `?${new URLSearchParams({ alt_text: altText }).toString()}`;
        upstream = libraryHttp.request({
          method: 'PUT',
          path: `/uploads/${mediaId}${query}`,
          headers: { ...toHeaders(metadata), 'content-type': 'application/octet-stream' },
        });
        answer = answerOf(upstream).then(checkAnswer);
        // It may refuse before the body is through: too large, say.
        answer.catch(reject);
        file.pipe(upstream, { end: false });
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
        form.on(limit, () => reject(misshapen('file', 'Send one file, and at most one alt_text.')));
      }
      form.on('error', (cause) => reject(new DomainError('invalid_request', 'The multipart body is malformed or incomplete.', { cause })));
      form.on('close', resolve);
      request.once('close', () => {
        if (!request.complete) reject(new DomainError('invalid_request', 'The body broke off.'));
      });
      request.pipe(form);
    });
    if (!upstream || !answer) throw new DomainError('missing_field', 'Send the file as the part "file".', { param: 'file' });
    upstream.end();
    await answer;
  } catch (error) {
    upstream?.destroy();
    request.unpipe(form);
    request.resume(); // A caller that is still sending hears the answer only when it has sent everything.
    throw error;
  }
}

function openForm(request: IncomingMessage): Busboy {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('unsupported_media_type', 'Send the file as "Content-Type: multipart/form-data".');
  }
  try {
    return busboy({ headers: request.headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (cause) {
    throw new DomainError('invalid_request', 'The Content-Type names no usable boundary.', { cause });
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

function unknownPart(name: string): DomainError {
  return misshapen(name, `There is no field "${name}".`);
}

function misshapen(param: string, detail: string): DomainError {
  return new DomainError('validation_failed', detail, { param, errors: [{ param, code: 'validation_failed', detail }] });
}
