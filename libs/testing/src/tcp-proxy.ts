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
  /** Keeps back, on all connections, all answers from that one on which comes for a request that holds this text; is fulfilled when that has come. */
  holdAnswerTo(text: string): Promise<void>;
  /** Lets what was kept back go on its way, except on connections that have ended since. */
  release(): void;
  close(): Promise<void>;
}

export type Direction = 'requests' | 'answers';

/** What is about to pass. */
interface Piece {
  /** The socket of whoever asks. */
  readonly caller: Socket;
  readonly direction: Direction;
  readonly chunk: Buffer;
}

interface Hold {
  readonly direction: Direction;
  begins(piece: Piece): boolean;
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
    forward(incoming, incoming, outgoing, 'requests');
    forward(incoming, outgoing, incoming, 'answers');
  });

  function forward(caller: Socket, from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (chunk) => {
      const hold = holdOf(direction, { caller, direction, chunk });
      if (hold) hold.kept.push(() => from.destroyed || to.write(chunk));
      else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => (holdOf(direction) ? to.destroy() : to.end()));
    from.on('close', () => to.destroy());
  }

  function holdOf(direction: Direction, piece?: Piece): Hold | undefined {
    for (const hold of holds) {
      if (!hold.isHolding && piece && hold.begins(piece)) {
        hold.isHolding = true;
        hold.reached();
      }
      if (hold.isHolding && hold.direction === direction) return hold;
    }
    return undefined;
  }

  const hold = (direction: Direction, begins: Hold['begins']) =>
    new Promise<void>((reached) => holds.add({ direction, begins, reached, isHolding: false, kept: [] }));

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
    holdAt: (direction, text) => hold(direction, (piece) => piece.direction === direction && piece.chunk.includes(text)),
    holdAnswerTo(text) {
      let asker: Socket | undefined;
      return hold('answers', ({ caller, direction, chunk }) => {
        if (direction === 'requests' && chunk.includes(text)) asker ??= caller;
        return direction === 'answers' && caller === asker;
      });
    },
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
