import type { Response } from 'express';
import type { Reply } from './reply.ts';

const TYPES = { json: 'application/json; charset=UTF-8', html: 'text/html; charset=UTF-8', xml: 'application/xml', none: null } as const;

/** Writes a response; `truncated` announces its whole length and closes the connection in the middle. */
export function sendReply(response: Response, reply: Reply, how: 'whole' | 'truncated'): void {
  const { body } = reply;
  const bytes = bytesOf(body);
  const type = body.kind === 'file' ? body.type : TYPES[body.kind];
  response.status(reply.status);
  if (type) response.setHeader('content-type', type);
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  response.setHeader('content-length', bytes.length);
  if (how === 'whole') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
}

function bytesOf(body: Reply['body']): Buffer {
  if (body.kind === 'file') return Buffer.from(body.bytes);
  return Buffer.from(body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'none' ? '' : body.text);
}
