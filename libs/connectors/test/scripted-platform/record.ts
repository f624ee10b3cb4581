import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlatformClient, type PlatformClient } from '../../src/platform-client.ts';
import { play, type ScriptedResponse } from './scripted-platform.ts';

/** A request as a reviewer reads it: bytes as their length and digest. */
export interface RecordedRequest {
  readonly request: string;
  readonly query?: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** What Node adds to every request, and what changes from run to run. */
const DULL = ['host', 'connection', 'content-length', 'user-agent'];

/** Responds by the script and keeps all requests. */
export async function record(
  responses: readonly ScriptedResponse[],
  talk: (client: PlatformClient) => Promise<unknown>,
): Promise<RecordedRequest[]> {
  const recorded: RecordedRequest[] = [];
  const script = [...responses];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://loopback');
      const kept = Object.entries(request.headers).filter(([name]) => !DULL.includes(name)) as [string, string][];
      const { boundary, headers } = withoutBoundary(Object.fromEntries(kept));
      const body = readable(Buffer.concat(chunks), headers['content-type'] ?? '', boundary);
      recorded.push({
        request: `${request.method} https:/${url.pathname}`,
        ...(url.search !== '' && { query: Object.fromEntries(url.searchParams) }),
        headers,
        ...(body !== undefined && { body }),
      });
      play(script.shift() ?? { status: 418, text: 'the script is over' }, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createPlatformClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs: 10_000 });
  try {
    await talk(client);
    return recorded;
  } finally {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function readable(bytes: Buffer, contentType: string, boundary: string): unknown {
  if (bytes.length === 0) return undefined;
  if (contentType.startsWith('application/json')) return JSON.parse(bytes.toString()) as unknown;
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  return boundary === '' ? digest(bytes) : parts(bytes, boundary);
}

/** The parts of a form in the order in which they are sent; latin1 keeps each byte a character. */
function parts(bytes: Buffer, boundary: string): unknown[] {
  const between = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return between.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(2, end).split('\r\n');
    const content = Buffer.from(part.slice(end + 4, -2), 'latin1');
    const isFile = head.some((line) => /filename=/.test(line));
    return { part: head.join('; '), ...(isFile ? digest(content) : { text: content.toString() }) };
  });
}

const digest = (bytes: Buffer) => ({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });

function withoutBoundary(headers: Record<string, string>): { boundary: string; headers: Record<string, string> } {
  const [type = '', boundary = ''] = (headers['content-type'] ?? '').split('; boundary=');
  return { boundary, headers: boundary === '' ? headers : { ...headers, 'content-type': type } };
}
