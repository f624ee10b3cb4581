import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy in front of a server on this machine. A test can close and open it, to make the server unreachable and reachable again. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections were attempted so far, successful or not. */
  connectionAttempts(): number;
  /** Closes all connections, and each new one as it is opened. */
  disconnect(): void;
  open(): void;
  /** Stops forwarding in one direction, on all connections, from the first chunk that contains this text. Resolves when that chunk has arrived. */
  blockAt(direction: Direction, text: string): Promise<void>;
  /** Stops forwarding responses, on all connections, from the response to the request that contains this text. Resolves when it has arrived. */
  blockResponseTo(text: string): Promise<void>;
  /** Forwards what was blocked, except on connections that have ended since. */
  release(): void;
  close(): Promise<void>;
}

export type Direction = 'requests' | 'responses';

/** Bytes that are about to be forwarded. */
interface Piece {
  /** The client's socket. */
  readonly caller: Socket;
  readonly direction: Direction;
  readonly chunk: Buffer;
}

interface Block {
  readonly direction: Direction;
  begins(piece: Piece): boolean;
  readonly reached: () => void;
  isBlocking: boolean;
  readonly kept: (() => void)[];
}

/** @param targetPort where the server listens, on 127.0.0.1 */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const blocks = new Set<Block>();
  let isDisconnected = false;
  let attempts = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    attempts++;
    keep(incoming);
    if (isDisconnected) return void incoming.destroy();
    const outgoing = keep(connect(targetPort, '127.0.0.1'));
    forward(incoming, incoming, outgoing, 'requests');
    forward(incoming, outgoing, incoming, 'responses');
  });

  function forward(caller: Socket, from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (chunk) => {
      const block = blockOf(direction, { caller, direction, chunk });
      if (block) block.kept.push(() => from.destroyed || to.write(chunk));
      else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => (blockOf(direction) ? to.destroy() : to.end()));
    from.on('close', () => to.destroy());
  }

  function blockOf(direction: Direction, piece?: Piece): Block | undefined {
    for (const block of blocks) {
      if (!block.isBlocking && piece && block.begins(piece)) {
        block.isBlocking = true;
        block.reached();
      }
      if (block.isBlocking && block.direction === direction) return block;
    }
    return undefined;
  }

  const block = (direction: Direction, begins: Block['begins']) =>
    new Promise<void>((reached) => blocks.add({ direction, begins, reached, isBlocking: false, kept: [] }));

  const cut = () => sockets.forEach((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connectionAttempts: () => attempts,
    disconnect() {
      isDisconnected = true;
      cut();
    },
    open: () => void (isDisconnected = false),
    blockAt: (direction, text) => block(direction, (piece) => piece.direction === direction && piece.chunk.includes(text)),
    blockResponseTo(text) {
      let sender: Socket | undefined;
      return block('responses', ({ caller, direction, chunk }) => {
        if (direction === 'requests' && chunk.includes(text)) sender ??= caller;
        return direction === 'responses' && caller === sender;
      });
    },
    release() {
      const released = [...blocks];
      blocks.clear();
      for (const { kept } of released) for (const send of kept) send();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
