import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '@fanfare/testing';
import { createGuardedClient } from '../src/index.ts';
import { aWebServer } from './a-server.ts';

const FILE = randomBytes(200_000);
const OTHER = randomBytes(150_000);
const closing: (() => Promise<unknown>)[] = [];
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'guarded-http-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(directory, { recursive: true });
});

const toFile = () => path.join(directory, 'file');
type Serve = (request: IncomingMessage, response: ServerResponse, turn: number) => void;

/** Downloads from a server that `serve` implements; returns the file or the reason of the error, and the ranges that were requested. */
async function download(serve: Serve) {
  const ranges: string[] = [];
  const server = await aWebServer((request, response) => {
    ranges.push(`${request.headers.range ?? 'all'} if ${String(request.headers['if-range'] ?? 'any')}`);
    serve(request, response, ranges.length);
  });
  const client = createGuardedClient({ allowedOrigins: [server.origin] });
  closing.push(server.stop, () => client.close());
  const done = client.download(server.origin, { toFile: toFile(), maxBytes: 1_000_000, timeoutMs: 20_000 });
  const body = await done.then(
    async ({ sizeBytes }) => ({ sizeBytes, bytes: await readFile(toFile()) }),
    (error: { reason: string }) => error.reason,
  );
  return { body, ranges };
}

/** Sends `count` bytes of the file and breaks the connection when the client has written them: what is only in its buffers would be lost. */
function breaking(response: ServerResponse, count: number, headers: Record<string, string>, from = 0, file = FILE): void {
  response.writeHead(from === 0 ? 200 : 206, { 'content-length': file.length - from, ...headers });
  response.write(file.subarray(from, from + count));
  void eventually(async () => (await stat(toFile())).size === from + count).finally(() => response.destroy());
}

const VERSIONED = { 'accept-ranges': 'bytes', etag: '"v1"' };
const rangeOf = (from: number, file = FILE) => ({ 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` });
const startOf = ({ headers }: IncomingMessage) => Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]);

test('a download whose connection breaks twice resumes where it stopped', async () => {
  const { body, ranges } = await download((request, response, turn) => {
    if (turn === 1) return breaking(response, 80_000, VERSIONED);
    const from = startOf(request);
    if (turn === 2) return breaking(response, 50_000, { ...VERSIONED, ...rangeOf(from) }, from);
    response.writeHead(206, { ...VERSIONED, ...rangeOf(from) }).end(FILE.subarray(from));
  });
  expect(body).toEqual({ sizeBytes: FILE.length, bytes: FILE });
  expect(ranges).toEqual(['all if any', 'bytes=80000- if "v1"', 'bytes=130000- if "v1"']);
});

test('a date is enough if there is no ETag', async () => {
  const modified = 'Sat, 21 Nov 2026 10:00:00 GMT';
  const headers = { 'accept-ranges': 'bytes', 'last-modified': modified };
  const { body, ranges } = await download((request, response, turn) => {
    if (turn === 1) return breaking(response, 80_000, headers);
    response.writeHead(206, { ...headers, ...rangeOf(startOf(request)) }).end(FILE.subarray(startOf(request)));
  });
  expect(body).toMatchObject({ bytes: FILE });
  expect(ranges[1]).toBe(`bytes=80000- if ${modified}`);
});

test('a file that was replaced in the meantime is downloaded from the start, and nothing of the old one remains', async () => {
  const { body } = await download((_request, response, turn) => {
    if (turn === 1) return breaking(response, 180_000, VERSIONED);
    response.writeHead(200, { 'accept-ranges': 'bytes', etag: '"v2"' }).end(OTHER);
  });
  expect(body).toEqual({ sizeBytes: OTHER.length, bytes: OTHER });
});

test.each([
  ['no validator', { 'accept-ranges': 'bytes' }],
  ['a weak one', { 'accept-ranges': 'bytes', etag: 'W/"v1"' }],
  ['no ranges', { etag: '"v1"' }],
])('with %s the download starts over', async (_what, headers) => {
  const { body, ranges } = await download((_request, response, turn) => {
    if (turn === 1) return breaking(response, 80_000, headers);
    response.writeHead(200, headers).end(FILE);
  });
  expect(body).toMatchObject({ bytes: FILE });
  expect(ranges).toEqual(['all if any', 'all if any']);
});

test.each([
  ['another part', { ...VERSIONED, 'content-range': `bytes 5-199999/200000` }],
  ['a part of another version', { ...VERSIONED, etag: '"v2"', 'content-range': `bytes 80000-199999/200000` }],
  ['less than the rest', { ...VERSIONED, 'content-range': `bytes 80000-80010/200000` }],
  ['no range', VERSIONED],
])('a server that sends %s does not corrupt the file', async (_what, headers) => {
  const { body } = await download((request, response, turn) => {
    if (turn === 1) return breaking(response, 80_000, VERSIONED);
    if (request.headers.range === undefined) return void response.writeHead(200, VERSIONED).end(FILE);
    // Zeros, which would be visible if the client accepted them as the rest.
    response.writeHead(206, headers).end(Buffer.alloc(FILE.length - 80_000));
  });
  if (typeof body === 'string') expect(['bad_response', 'changed']).toContain(body);
  else expect(body.bytes.equals(FILE)).toBe(true);
  expect(typeof body === 'string' ? await readdir(directory) : []).toEqual([]);
});

test('a download gives up after several broken connections and leaves no file', async () => {
  const { body, ranges } = await download((request, response) => {
    const from = request.headers.range === undefined ? 0 : startOf(request);
    breaking(response, 10_000, { ...VERSIONED, ...(from > 0 && rangeOf(from)) }, from);
  });
  expect(['unreachable', 'incomplete']).toContain(body);
  expect(ranges).toHaveLength(4);
  expect(await readdir(directory)).toEqual([]);
});
