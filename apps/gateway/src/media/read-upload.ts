import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DomainError } from '@fanfare/errors';
import busboy, { type Busboy } from 'busboy';

/** A multipart body that was read to its end. */
export interface ReadUpload {
  /** Of the file alone, hex. */
  readonly sha256: string;
  /** Of all that the body says: a repeat of the request has the same. */
  readonly digest: string;
}

const MAX_ALT_TEXT = 2000;
const LIMITS = { files: 1, fields: 1, parts: 10, fieldSize: 4 * MAX_ALT_TEXT, fieldNameSize: 100 };

/**
 * Reads a multipart body with the part `file`, and before it, where there is one, the part `alt_text`. The file is handed over as it arrives;
 * `onFile` has to read it, and may refuse it at any time.
 * @throws DomainError
 */
export async function readUpload(
  request: IncomingMessage,
  onFile: (file: Readable, altText: string | undefined, refuse: (error: unknown) => void) => void,
): Promise<ReadUpload> {
  const form = openForm(request);
  const hash = createHash('sha256');
  let hasFile = false;
  let altText: string | undefined;

  try {
    await new Promise<void>((resolve, reject) => {
      form.on('field', (name, value, { valueTruncated }) => {
        if (name !== 'alt_text') reject(unknownPart(name));
        else if (valueTruncated || value.length > MAX_ALT_TEXT)
          reject(misshapen('alt_text', `alt_text has at most ${MAX_ALT_TEXT} characters.`));
        else if (hasFile) reject(new DomainError('invalid_request', 'alt_text must stand before the file.', { param: 'alt_text' }));
        else altText = value;
      });
      form.on('file', (name, file) => {
        file.on('error', () => undefined); // A body that breaks off errs here too; the form's own error tells of it.
        if (name !== 'file') return reject(unknownPart(name));
        hasFile = true;
        onFile(file, altText, reject);
        file.on('data', (chunk: Buffer) => hash.update(chunk));
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
    if (!hasFile) throw new DomainError('missing_field', 'Send the file as the part "file".', { param: 'file' });
  } catch (error) {
    request.unpipe(form);
    request.resume(); // A caller that is still sending hears the answer only when it has sent everything.
    throw error;
  }
  const sha256 = hash.digest('hex');
  const said = JSON.stringify([altText ?? null, sha256]);
  return { sha256, digest: createHash('sha256').update(said).digest('hex') };
}

/** Reads a body for nothing but to see whether it is that of a request before. */
export async function digestUpload(request: IncomingMessage): Promise<string> {
  return (await readUpload(request, () => undefined)).digest;
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

function unknownPart(name: string): DomainError {
  return misshapen(name, `There is no field "${name}".`);
}

function misshapen(param: string, detail: string): DomainError {
  return new DomainError('validation_failed', detail, { param, errors: [{ param, code: 'validation_failed', detail }] });
}
