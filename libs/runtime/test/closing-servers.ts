import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Reads responses of servers that close after the body, which is sent completely before it is read. A separate process with Node's own undici loaded
 * first, because the bug ends the process. Prints how many bytes arrived.
 */
async function main(): Promise<void> {
  await globalThis.fetch('data:,');
  const { fetch, request } = await import('../src/http-client.ts');
  for (const head of ['HTTP/1.0 200 OK\r\n\r\n', `HTTP/1.0 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`]) {
    for (const read of [
      async (url: string) => (await fetch(url)).body as AsyncIterable<Uint8Array>,
      async (url: string) => (await request(url)).body as AsyncIterable<Uint8Array>,
    ]) {
      const server = await startServer(head);
      const response = await read(server.url);
      await server.allSent;
      for (let turns = 0; turns < 100; turns++) await turn();
      let bytes = 0;
      for await (const chunk of response) bytes += chunk.length;
      console.log(bytes);
      server.close();
    }
  }
}

/** More than a reader buffers, so that its connection pauses, and less than the next piece. */
const body = Buffer.alloc(80_000, 'x');

async function startServer(head: string): Promise<{ url: string; allSent: Promise<void>; close(): void }> {
  let sent: () => void;
  const allSent = new Promise<void>((resolve) => (sent = resolve));
  const response = (socket: Socket) =>
    socket.once('data', () => {
      socket.write(head);
      socket.end(body, () => sent());
    });
  const server = createServer(response);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, allSent, close: () => void server.close() };
}

await main();
