import type { ServerResponse } from 'node:http';
import { aWebServer } from './start-library.ts';

/** A file, and how its server behaves. Tests change it while it is fetched. */
export interface ServedFile {
  body: Buffer;
  /** With one, and ranges, the rest can be asked for. */
  etag?: string;
  /** After so many bytes of a response nothing more comes until this is removed. */
  pauseAfter?: number | undefined;
  /** After so many bytes of a response the connection breaks. */
  breakAfter?: number | undefined;
  /** Whether it says how long it is. */
  silentOnLength?: boolean;
}

export interface FileServer {
  readonly origin: string;
  readonly files: Map<string, ServedFile>;
  /** For each request: the range that it asked for, or `all`. */
  readonly asked: string[];
  /** Bytes on their way at this moment, of all responses that are not over. */
  open(): number;
  stop(): Promise<unknown>;
}

/** A web server for large files that knows ranges (RFC 9110, 14), and can be slow or broken. */
export async function aFileServer(): Promise<FileServer> {
  const files = new Map<string, ServedFile>();
  const asked: string[] = [];
  const answers = new Set<ServerResponse>();
  const web = await aWebServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file) return void response.writeHead(404).end();
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const isSame = file.etag !== undefined && request.headers['if-range'] === file.etag;
    const from = first !== undefined && isSame ? Number(first) : 0;
    asked.push(first === undefined ? 'all' : `from ${first}`);
    answers.add(response);
    response.on('close', () => answers.delete(response));
    response.writeHead(from > 0 ? 206 : 200, {
      ...(file.etag !== undefined && { etag: file.etag, 'accept-ranges': 'bytes' }),
      ...(!file.silentOnLength && { 'content-length': file.body.length - from }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${file.body.length - 1}/${file.body.length}` }),
    });
    response.flushHeaders();
    void send(response, file, from);
  });
  return { origin: web.origin, files, asked, open: () => answers.size, stop: web.stop };
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
