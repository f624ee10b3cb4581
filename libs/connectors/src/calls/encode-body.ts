import type { StreamedBody } from './exchange.ts';
import type { MultipartField, PlatformRequest, StreamedFile } from './http.ts';

/** The part of a streamed file that is in memory at a time. */
const PIECE_BYTES = 1024 * 1024;

interface EncodedBody {
  readonly contentType?: string;
  readonly body: Buffer | StreamedBody | null;
}

/** The request's body with its length; it is never sent in chunks that could be repeated. */
export async function encodeBody(body: PlatformRequest['body']): Promise<EncodedBody> {
  if (body === undefined) return { body: null };
  if ('json' in body) return { contentType: 'application/json', body: Buffer.from(JSON.stringify(body.json)) };
  if ('form' in body) {
    return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(new URLSearchParams(body.form).toString()) };
  }
  if ('bytes' in body) return { contentType: 'application/octet-stream', body: body.bytes };
  return encodeMultipart(body.multipart);
}

async function encodeMultipart(fields: readonly MultipartField[]): Promise<EncodedBody> {
  const form = new FormData();
  for (const field of fields) {
    if ('value' in field) form.append(field.name, field.value);
    else
      form.append(field.name, new Blob('bytes' in field ? [new Uint8Array(field.bytes)] : [], { type: field.contentType }), field.filename);
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data';
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const file = fields.find((field) => 'read' in field);
  return { contentType, body: file ? withFile(bytes, contentType, file, fields.at(-1)) : bytes };
}

/** Inserts a streamed file in place of the form's empty one: before the closing boundary. */
function withFile(form: Buffer, contentType: string, file: StreamedFile, last: MultipartField | undefined): StreamedBody {
  if (file !== last) throw new TypeError('a streamed file is the last field of its form');
  const boundary = contentType.slice(contentType.indexOf('boundary=') + 'boundary='.length);
  const end = form.lastIndexOf(`\r\n--${boundary}--`);
  return {
    sizeBytes: form.length + file.sizeBytes,
    async *pieces() {
      yield form.subarray(0, end);
      for (let start = 0; start < file.sizeBytes; start += PIECE_BYTES) {
        yield await file.read(start, Math.min(start + PIECE_BYTES, file.sizeBytes) - 1);
      }
      yield form.subarray(end);
    },
  };
}
