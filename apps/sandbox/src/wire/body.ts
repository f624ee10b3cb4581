import busboy from 'busboy';
import { createHash } from 'node:crypto';

export interface UploadedFile {
  field: string;
  filename: string | null;
  contentType: string;
  bytes: Buffer;
}

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: Record<string, string> }
  /** `names` are those of all parts, in their order. */
  | { kind: 'multipart'; fields: Record<string, string>; files: UploadedFile[]; names: string[] }
  | { kind: 'bytes'; contentType: string; bytes: Buffer }
  | { kind: 'malformed'; contentType: string; bytes: Buffer };

export async function parseBody(contentTypeHeader: string | undefined, bytes: Buffer): Promise<Body> {
  if (bytes.length === 0) return { kind: 'none' };
  const contentType = contentTypeHeader ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  try {
    if (type === 'application/json') return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
    if (type === 'application/x-www-form-urlencoded') return { kind: 'form', fields: formFields(bytes.toString('utf8')) };
    if (type === 'multipart/form-data') return await parseMultipart(contentType, bytes);
  } catch {
    return { kind: 'malformed', contentType, bytes };
  }
  return { kind: 'bytes', contentType: type || 'application/octet-stream', bytes };
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

function digest(bytes: Buffer) {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function formFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function parseMultipart(contentType: string, bytes: Buffer): Promise<Body> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    const files: UploadedFile[] = [];
    const names: string[] = [];
    const parser = busboy({ headers: { 'content-type': contentType }, limits: { fieldSize: 1024 * 1024, fileSize: bytes.length } });
    parser.on('field', (name, value) => {
      names.push(name);
      fields[name] = value;
    });
    parser.on('file', (field, stream, info) => {
      names.push(field);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        files.push({ field, filename: info.filename ?? null, contentType: info.mimeType, bytes: Buffer.concat(chunks) }),
      );
    });
    parser.on('close', () => resolve({ kind: 'multipart', fields, files, names }));
    parser.on('error', reject);
    parser.end(bytes);
  });
}
