import busboy from 'busboy';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Spool, SpooledFile } from '../media/spool.ts';

export interface UploadedFile {
  field: string;
  filename: string | null;
  contentType: string;
  bytes: SpooledFile;
}

type Measure = Pick<SpooledFile, 'length' | 'sha256'>;

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: Record<string, string> }
  /** `names` are those of all parts, in their order. */
  | { kind: 'multipart'; fields: Record<string, string>; files: UploadedFile[]; names: string[] }
  | { kind: 'bytes'; contentType: string; bytes: SpooledFile }
  | { kind: 'malformed'; contentType: string; bytes: Measure };

const maxBodyBytes = 600 * 1024 * 1024;
/** Maximum of a body that is read as text, and so is whole in memory. */
const maxTextBytes = 32 * 1024 * 1024;

/** Reads a request to its end; files are streamed into the spool. @throws with `status` 413 for a body that is too large */
export async function readBody(request: IncomingMessage, spool: Spool): Promise<Body> {
  const { 'content-type': contentType = '', 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  // Without either header there is no body (RFC 9112, section 6.3).
  if (encoding === undefined && (length === undefined || length === '0')) return { kind: 'none' };
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data' && !isUpload(request, type)) return readMultipart(contentType, measured(request, maxBodyBytes), spool);
  if (isUpload(request, type) || (type !== 'application/json' && type !== 'application/x-www-form-urlencoded')) {
    const bytes = await spool.write(measured(request, maxBodyBytes).chunks);
    if (bytes.length > 0) return { kind: 'bytes', contentType: type || 'application/octet-stream', bytes };
    spool.discard(bytes);
    return { kind: 'none' };
  }
  const { chunks, result } = measured(request, maxTextBytes);
  const bytes = await buffer(chunks);
  if (bytes.length === 0) return { kind: 'none' };
  try {
    const text = bytes.toString('utf8');
    return type === 'application/json' ? { kind: 'json', value: JSON.parse(text) } : { kind: 'form', fields: formFields(text) };
  } catch {
    return { kind: 'malformed', contentType, bytes: result() };
  }
}

/** The Content-Type of a raw upload is ignored: clients such as curl send a default one for every body. */
function isUpload({ method, headers }: IncomingMessage, type: string): boolean {
  return headers['content-range'] !== undefined || headers['file_size'] !== undefined || (method === 'PUT' && type !== 'application/json');
}

/** The body as the journal keeps it: fields and JSON as they are, bytes as size and digest. */
export function describeBody(body: Body): unknown {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return body.value;
    case 'form':
      return body.fields;
    case 'multipart':
      return {
        ...body.fields,
        ...Object.fromEntries(
          body.files.map((file) => [file.field, { file_name: file.filename, content_type: file.contentType, ...digest(file.bytes) }]),
        ),
      };
    case 'bytes':
    case 'malformed':
      return { content_type: body.contentType, ...digest(body.bytes) };
  }
}

const digest = ({ length, sha256 }: Measure) => ({ size: length, sha256 });

function formFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** A request's chunks, and what they were all together. A body that is too large is also read to its end, so that its sender gets the response. */
function measured(request: IncomingMessage, maxBytes: number): { chunks: AsyncGenerator<Buffer>; result(): Measure } {
  const hash = createHash('sha256');
  let length = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) continue;
      hash.update(chunk);
      yield chunk;
    }
    if (length > maxBytes) throw Object.assign(new Error('request entity too large'), { status: 413 });
  }
  return { chunks: chunks(), result: () => ({ length, sha256: hash.digest('hex') }) };
}

async function readMultipart(contentType: string, { chunks, result }: ReturnType<typeof measured>, spool: Spool): Promise<Body> {
  const fields = Object.create(null) as Record<string, string>; // `__proto__` is a name like any other.
  const names: string[] = [];
  const files: Promise<UploadedFile>[] = [];
  let broken = false;
  let parser: busboy.Busboy | null = null;
  try {
    parser = busboy({ headers: { 'content-type': contentType }, limits: { fieldSize: 1024 * 1024 } });
  } catch {
    broken = true;
  }
  parser?.on('field', (name, value) => {
    names.push(name);
    fields[name] = value;
  });
  parser?.on('file', (field, stream, { filename, mimeType }) => {
    names.push(field);
    const written = spool.write(stream).then((bytes) => ({ field, filename: filename ?? null, contentType: mimeType, bytes }));
    // An error of a file is also an error of the form, which is handled below.
    written.catch(() => (broken = true));
    files.push(written);
  });
  const ended = new Promise<void>((resolve) => parser?.once('close', resolve).once('error', () => ((broken = true), resolve())));
  for await (const chunk of chunks) {
    if (parser && !broken && !parser.write(chunk)) await Promise.race([ended, new Promise((resolve) => parser.once('drain', resolve))]);
  }
  const measure = result();
  if (measure.length === 0) return { kind: 'none' };
  if (parser && !broken) await (parser.end(), ended);
  const settled = await Promise.allSettled(files);
  const whole = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (!broken && whole.length === files.length) return { kind: 'multipart', fields, files: whole, names };
  for (const { bytes } of whole) spool.discard(bytes);
  return { kind: 'malformed', contentType, bytes: measure };
}
