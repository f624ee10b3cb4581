import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlatformClient, type PlatformClient, type PlatformClientOptions } from '../../src/platform-client.ts';

/** A request as the real host would have seen it. */
export interface Received {
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage['headers'];
  /** JSON and form fields as an object; files as their type and size. */
  readonly body: unknown;
}

export type ScriptedResponse =
  | { readonly status?: number; readonly json?: unknown; readonly text?: string; readonly headers?: Record<string, string> }
  | 'drop'
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ScriptedPlatform {
  readonly client: PlatformClient;
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** `POST https://…` of every request, in order. */
  calls(): string[];
  close(): Promise<void>;
}

/** Simulates every platform's hosts on loopback: responds to requests in the order of the script, through the real HTTP client. */
export async function scriptedPlatform(
  responses: readonly ScriptedResponse[],
  options: Partial<PlatformClientOptions> = {},
): Promise<ScriptedPlatform> {
  const received: Received[] = [];
  const script = [...responses];
  const server = createServer((request, response) => {
    const reply = (read: Received) => {
      received.push(read);
      play(script.shift() ?? { status: 418, text: 'the script is over' }, request, response);
    };
    // A caller that leaves in the middle of its request was not heard.
    void readRequest(request).then(reply, () => request.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that plays two platforms closes the last one; the other must not keep the process.
  server.unref();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPlatformClient({ baseUrl, timeoutMs: 5_000, ...options });
  return {
    client,
    baseUrl,
    received,
    calls: () => received.map(({ method, url }) => `${method} ${url}`),
    async close() {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends one response. */
export function play(reply: ScriptedResponse, request: IncomingMessage, response: ServerResponse): void {
  if (reply === 'drop') return void request.socket.destroy();
  if (typeof reply === 'function') return reply(request, response);
  const { status = 200, json, text, headers } = reply;
  response.writeHead(status, { 'content-type': json === undefined ? 'text/html' : 'application/json', ...headers });
  response.end(json === undefined ? (text ?? '') : JSON.stringify(json));
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://loopback');
  return {
    method: request.method ?? '',
    url: `https:/${url.pathname}`,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: await readBody(Buffer.concat(chunks), request.headers['content-type']),
  };
}

async function readBody(bytes: Buffer, contentType = ''): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (contentType.startsWith('application/json')) return JSON.parse(bytes.toString()) as unknown;
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  if (!contentType.startsWith('multipart/')) return bytes.toString();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value : { type: value.type, size: value.size }]),
  );
}
