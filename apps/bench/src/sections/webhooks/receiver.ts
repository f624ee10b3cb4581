import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** A server for webhooks. The path decides: `/dead…` closes the connection, `/stalling…` never responds, all others accept. */
export interface Receiver {
  /** Path → sequence of the event → when it arrived, in milliseconds since 1970. */
  readonly arrived: ReadonlyMap<string, ReadonlyMap<number, number>>;
  clear(): void;
  stop(): Promise<void>;
}

export async function startReceiver(port: number): Promise<Receiver> {
  const arrived = new Map<string, Map<number, number>>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/dead')) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { sequence } = JSON.parse(Buffer.concat(chunks).toString()) as { sequence: number };
      const ofPath = arrived.get(path) ?? new Map<number, number>();
      arrived.set(path, ofPath.set(sequence, ofPath.get(sequence) ?? Date.now()));
      if (!path.startsWith('/stalling')) response.writeHead(204).end();
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    arrived,
    clear: () => arrived.clear(),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
