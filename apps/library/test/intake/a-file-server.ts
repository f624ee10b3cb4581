import type { ServerResponse } from 'node:http';
import { aWebServer } from '../start-library.ts';

/** A file, and how it is served. Tests change it during downloads. */
export interface ServedFile {
  body: Buffer;
  /** With an ETag, the server supports ranges. */
  etag?: string;
  /** After this many bytes, a response pauses until the value is removed. */
  pauseAfter?: number | undefined;
  /** After this many bytes, the connection breaks. */
  breakAfter?: number | undefined;
  /** Omits Content-Length. */
  silentOnLength?: boolean;
}

export interface FileServer {
  readonly origin: string;
  readonly files: Map<string, ServedFile>;
  /** The range of each request, or `all`. */
  readonly requests: string[];
  /** The number of responses in progress. */
  open(): number;
  stop(): Promise<unknown>;
}

/** A web server for large files that supports ranges (RFC 9110, 14), and can be slow or broken. */
export async function aFileServer(): Promise<FileServer> {
  const files = new Map<string, ServedFile>();
  const requests: string[] = [];
  const responses = new Set<ServerResponse>();
  const web = await aWebServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file) return void response.writeHead(404).end();
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const isSame = file.etag !== undefined && request.headers['if-range'] === file.etag;
    const from = first !== undefined && isSame ? Number(first) : 0;
    requests.push(first === undefined ? 'all' : `from ${first}`);
    responses.add(response);
    response.on('close', () => responses.delete(response));
    response.writeHead(from > 0 ? 206 : 200, {
      ...(file.etag !== undefined && { etag: file.etag, 'accept-ranges': 'bytes' }),
      ...(!file.silentOnLength && { 'content-length': file.body.length - from }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${file.body.length - 1}/${file.body.length}` }),
    });
    response.flushHeaders();
    void send(response, file, from);
  });
  return { origin: web.origin, files, requests, open: () => responses.size, stop: web.stop };
}

const PIECE_BYTES = 64 * 1024;

async function send(response: ServerResponse, file: ServedFile, from: number): Promise<void> {
  const { body } = file;
  for (let at = from; at < body.length && !response.destroyed;) {
    const sent = at - from;
    if (file.pauseAfter !== undefined && sent >= file.pauseAfter) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    if (file.breakAfter !== undefined && sent >= file.breakAfter) return void response.destroy();
    const piece = body.subarray(at, at + PIECE_BYTES);
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    at += piece.length;
  }
  response.end();
}
