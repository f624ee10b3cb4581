import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DomainError } from '@fanfare/errors';
import busboy, { type Busboy } from 'busboy';
import type { Request } from 'express';
import type { z } from 'zod';
import { atPace, PACE } from './at-pace.ts';
import { formProblems } from './form-problems.ts';

/** A multipart body that was read to its end. */
export interface ReadUpload {
  /** Of the file only, in hex. */
  readonly sha256: string;
  /** Of all parts: a repeat of the request has the same digest. */
  readonly digest: string;
}

/** The file, and the parts before it. */
interface GivenFile {
  readonly file: Readable;
  readonly fileName: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

interface UploadReader {
  /** The permitted parts; `file` is the last one. */
  readonly parts: z.ZodObject;
  /** Called with `business_id` as soon as it is read. It may reject the request. */
  ofBusiness?(id: string): Promise<unknown>;
  /** Called with the file as it arrives, if all parts before it are valid. It must read the file, and may reject the request at any time. */
  onFile?(given: GivenFile, reject: (error: unknown) => void): void;
}

/** Higher than the permitted numbers, so that errors can name unknown parts. */
const LIMITS = { files: 5, fields: 20, parts: 25, fieldSize: 24 * 1024, fieldNameSize: 100 };

/**
 * Reads a multipart body to its end.
 * @throws DomainError with all problems of its parts
 */
export async function readUpload(request: Request, reader: UploadReader, pace = PACE): Promise<ReadUpload> {
  const form = openForm(request);
  const hash = createHash('sha256');
  const problems = formProblems(reader.parts);
  let isInFile = false;
  let checked: Promise<unknown> = Promise.resolve();

  const reading = new Promise<void>((resolve, reject) => {
    form.on('field', (name, value) => {
      const isNew = problems.field(name, value);
      if (isNew && name === 'business_id' && reader.ofBusiness) {
        checked = reader.ofBusiness(value);
        checked.catch(reject);
      }
    });
    form.on('file', (name, file, { filename }) => {
      file.on('error', () => undefined); // An incomplete body causes an error here too; the error of the form reports it.
      isInFile = name === 'file';
      file.once('end', () => (isInFile = false));
      const isExpected = problems.file(name);
      // The rest is read to report further problems. A file that will be rejected is not passed on.
      if (!isExpected) return void file.resume();
      checked
        .then(() => {
          reader.onFile?.({ file, fileName: filename, fields: problems.fields() }, reject);
          file.on('data', (chunk: Buffer) => hash.update(chunk));
        })
        .catch((error: Error) => (reject(error), file.resume()));
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) form.on(limit, () => problems.tooMany());
    form.on('error', (cause) => reject(new DomainError('invalid_request', 'The multipart body is malformed or incomplete.', { cause })));
    form.on('close', resolve);
    request.once('close', () => {
      if (!request.complete) reject(new DomainError('invalid_request', 'The body was cut off.'));
    });
    request.pipe(form);
  });

  try {
    await atPace(request, reading, { ...pace, param: () => (isInFile ? 'file' : undefined) });
    await checked;
    problems.check();
  } catch (error) {
    request.unpipe(form);
    request.resume(); // Many clients read the response only when they have sent everything.
    throw error;
  }
  const sha256 = hash.digest('hex');
  const parts = JSON.stringify([Object.entries(problems.fields()).sort(), sha256]);
  return { sha256, digest: createHash('sha256').update(parts).digest('hex') };
}

function openForm(request: Request): Busboy {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Send the form without Content-Encoding.', { param: 'Content-Encoding' });
  }
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('unsupported_media_type', 'Send the file as "Content-Type: multipart/form-data".');
  }
  try {
    return busboy({ headers: request.headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch (cause) {
    throw new DomainError('invalid_request', 'The Content-Type has no valid boundary.', { cause });
  }
}
