import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface AServer {
  readonly origin: string;
  readonly port: number;
  /** Connections so far. */
  hits(): number;
  stop(): Promise<void>;
}

/** A web server on loopback. */
export const aWebServer = (listener: RequestListener, host = '127.0.0.1', port = 0): Promise<AServer> =>
  listen(createServer(listener), host, port);

/** A TCP server on loopback. */
export const aTcpServer = (listener: (socket: Socket) => void): Promise<AServer> =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      listener(socket);
    }),
    '127.0.0.1',
    0,
  );

async function listen(server: Server, host: string, wanted: number): Promise<AServer> {
  const sockets = new Set<Socket>();
  let hits = 0;
  server.on('connection', (socket: Socket) => {
    hits++;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(wanted, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    port,
    hits: () => hits,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
