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
  /** Of the file alone, hex. */
  readonly sha256: string;
  /** Of all that the body says: a repeat of the request has the same. */
  readonly digest: string;
}

/** What stood before the file. */
interface GivenFile {
  readonly file: Readable;
  readonly fileName: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

interface UploadReader {
  /** The parts that there may be; `file` is the last of them. */
  readonly parts: z.ZodObject;
  /** Hears of `business_id` as soon as it was read, and may refuse it. */
  ofBusiness?(id: string): Promise<unknown>;
  /** Is handed the file as it arrives, when all before it is right; has to read it, and may refuse it at any time. */
  onFile?(given: GivenFile, refuse: (error: unknown) => void): void;
}

/** Beyond those that there are: so that unknown ones can be named. */
const LIMITS = { files: 5, fields: 20, parts: 25, fieldSize: 24 * 1024, fieldNameSize: 100 };

/**
 * Reads a multipart body to its end.
 * @throws DomainError that lists everything that is wrong with its parts
 */
export async function readUpload(request: Request, reader: UploadReader, pace = PACE): Promise<ReadUpload> {
  const form = openForm(request);
  const hash = createHash('sha256');
  const problems = formProblems(reader.parts);
  let isInFile = false;
  let settled: Promise<unknown> = Promise.resolve();

  const reading = new Promise<void>((resolve, reject) => {
    form.on('field', (name, value) => {
      const isNew = problems.field(name, value);
      if (isNew && name === 'business_id' && reader.ofBusiness) {
        settled = reader.ofBusiness(value);
        settled.catch(reject);
      }
    });
    form.on('file', (name, file, { filename }) => {
      file.on('error', () => undefined); // A body that breaks off errs here too; the form's own error tells of it.
      isInFile = name === 'file';
      file.once('end', () => (isInFile = false));
      const isTaken = problems.file(name);
      // The rest is read for what else may be wrong; nobody is sent a file that will be refused.
      if (!isTaken) return void file.resume();
      settled
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
    await settled;
    problems.check();
  } catch (error) {
    request.unpipe(form);
    request.resume(); // A caller that is still sending hears the response only when it has sent everything.
    throw error;
  }
  const sha256 = hash.digest('hex');
  const said = JSON.stringify([Object.entries(problems.fields()).sort(), sha256]);
  return { sha256, digest: createHash('sha256').update(said).digest('hex') };
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
