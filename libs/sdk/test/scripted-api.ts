import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | ((response: ServerResponse) => void);

/** An HTTP server that sends the given responses, one after the other and the last one for ever, and keeps the requests. */
export interface ScriptedApi {
  readonly baseUrl: string;
  readonly received: Received[];
  reply(...replies: Reply[]): void;
  stop(): Promise<void>;
}

export async function startScriptedApi(): Promise<ScriptedApi> {
  const received: Received[] = [];
  let replies: Reply[] = [];
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function respond(request: IncomingMessage, response: ServerResponse) {
    received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: await text(request) });
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
    if (typeof reply === 'function') return reply(response);
    const { status = 200, headers, body = {} } = reply;
    response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json', ...headers });
    response.end(JSON.stringify(body));
  }

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    reply: (...given) => {
      received.length = 0;
      replies = given;
    },
    stop: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
