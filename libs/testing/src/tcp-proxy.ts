import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A door in front of a server on this machine, which a test can shut and open: the server is away, and comes back. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections were asked for so far, also in vain. */
  asked(): number;
  /** Cuts all connections; new ones are cut as they come. */
  shut(): void;
  open(): void;
  /** Keeps back, on all connections, everything in one direction from the first piece that holds this text on; is fulfilled when that has come. */
  holdAt(direction: Direction, text: string): Promise<void>;
  /** Lets what was kept back go on its way, except on connections that have ended since. */
  release(): void;
  close(): Promise<void>;
}

export type Direction = 'requests' | 'answers';

interface Hold {
  readonly direction: Direction;
  readonly text: Buffer;
  readonly reached: () => void;
  isHolding: boolean;
  readonly kept: (() => void)[];
}

/** @param targetPort where the server listens, on 127.0.0.1 */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const holds = new Set<Hold>();
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
    forward(incoming, outgoing, 'requests');
    forward(outgoing, incoming, 'answers');
  });

  function forward(from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (chunk) => {
      const hold = holdOf(direction, chunk);
      if (hold) hold.kept.push(() => from.destroyed || to.write(chunk));
      else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => (holdOf(direction) ? to.destroy() : to.end()));
    from.on('close', () => to.destroy());
  }

  function holdOf(direction: Direction, chunk?: Buffer): Hold | undefined {
    for (const hold of holds) {
      if (hold.direction !== direction) continue;
      if (!hold.isHolding && chunk?.includes(hold.text)) {
        hold.isHolding = true;
        hold.reached();
      }
      if (hold.isHolding) return hold;
    }
    return undefined;
  }

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
    holdAt: (direction, text) =>
      new Promise((reached) => holds.add({ direction, text: Buffer.from(text), reached, isHolding: false, kept: [] })),
    release() {
      const released = [...holds];
      holds.clear();
      for (const { kept } of released) for (const send of kept) send();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
