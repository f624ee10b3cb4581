import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { eventually } from '@fanfare/testing';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly sequence: number; readonly data: Record<string, unknown> };
}

export type Receiver = Awaited<ReturnType<typeof aReceiver>>;

/** A web server that receives webhooks, on a loopback port. `respond` decides each response: by default 204. */
export async function aReceiver(respond: (received: Received, response: ServerResponse) => void = () => undefined) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let current = respond;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) as Received['event'] };
      received.push(one);
      current(one, response);
      if (!response.headersSent && !response.writableEnded && !response.destroyed && !held.has(response)) response.writeHead(204).end();
    });
  });
  const held = new Set<ServerResponse>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    received,
    types: () => received.map(({ event }) => event.type),
    /** Changes what it responds from now on. */
    respond(next: (received: Received, response: ServerResponse) => void) {
      current = next;
    },
    /** Does not respond to this request. */
    hold: (response: ServerResponse) => void held.add(response),
    release() {
      for (const response of held) response.writeHead(204).end();
      held.clear();
    },
    async has(count: number): Promise<readonly Received[]> {
      await eventually(() => received.length >= count);
      return received;
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
