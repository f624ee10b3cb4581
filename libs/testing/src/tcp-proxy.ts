import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A door in front of a server on this machine, which a test can shut and open: the server is away, and comes back. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections were asked for so far, also in vain. */
  asked(): number;
  /** Cuts all connections; new ones are cut as they come. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** @param targetPort where the server listens, on 127.0.0.1 */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isShut = false;
  let asked = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    asked++;
    keep(incoming);
    if (isShut) return void incoming.destroy();
    const outgoing = keep(connect(targetPort, '127.0.0.1'));
    incoming.pipe(outgoing).on('close', () => incoming.destroy());
    outgoing.pipe(incoming).on('close', () => outgoing.destroy());
  });
  const cut = () => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    shut() {
      isShut = true;
      cut();
    },
    open: () => void (isShut = false),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
