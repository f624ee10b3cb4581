import type { PlatformRequest } from './http.ts';

/** The request's body as bytes (never a stream: its length is known, and nothing of it is sent in pieces that could be sent again). */
export async function encodeBody(body: PlatformRequest['body']): Promise<{ contentType?: string; bytes: Buffer | null }> {
  if (body === undefined) return { bytes: null };
  if ('json' in body) return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body.json)) };
  if ('form' in body) {
    return { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(new URLSearchParams(body.form).toString()) };
  }
  if ('bytes' in body) return { contentType: 'application/octet-stream', bytes: body.bytes };
  const form = new FormData();
  for (const field of body.multipart) {
    if ('value' in field) form.append(field.name, field.value);
    else form.append(field.name, new Blob([Uint8Array.from(field.bytes)], { type: field.contentType }), field.filename);
  }
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? 'multipart/form-data', bytes: Buffer.from(await encoded.arrayBuffer()) };
}
