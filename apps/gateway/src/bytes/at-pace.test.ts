import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { atPace } from './at-pace.ts';

const PACE = { windowMs: 100, windowBytes: 1000, checkMs: 10 };

let server: Server;
let outcome: Promise<unknown>;
let isRead: Promise<void> | undefined;
/** Whether the response is sent before the body has been read, as for a wrong offset. */
let endsEarly = false;
/** Reads the body immediately, or when `isRead` becomes true. */
const read = async (request: IncomingMessage) => {
  if (isRead) {
    request.pause();
    await isRead;
  }
  await new Promise<void>((resolve) => request.once('end', resolve).resume());
};
beforeAll(async () => {
  server = createServer((request, response) => {
    const paced = Object.assign(request, { res: response }) as unknown as Request;
    if (endsEarly) response.writeHead(409).end();
    outcome = atPace(paced, read(request), PACE).then(
      () => response.end('done'),
      (error: Error) => (endsEarly ? error.message : response.writeHead(400).end(error.message)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));
beforeEach(() => {
  isRead = undefined;
  endsEarly = false;
});

/** Sends a body slowly, and returns the response. */
async function send(by: (request: ClientRequest) => void): Promise<{ status: number | undefined; connection: string | undefined }> {
  const request = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' });
  const responded = new Promise<IncomingMessage>((resolve, reject) => request.once('response', resolve).once('error', reject));
  by(request);
  const received = await responded;
  request.on('error', () => undefined);
  received.resume();
  await outcome;
  return { status: received.statusCode, connection: received.headers.connection };
}

/** Sends `bytes` at a time, every 20 ms. */
function pour(request: ClientRequest, bytes: number, times: number): void {
  let left = times;
  const timer = setInterval(() => {
    if (left-- > 0 && !request.destroyed) return void request.write(Buffer.alloc(bytes));
    clearInterval(timer);
    request.end();
  }, 20);
}

test('a body that is too slow is cut off, and the connection is closed', async () => {
  expect(await send((request) => pour(request, 1, 1000))).toEqual({ status: 400, connection: 'close' });
});

test('a body that stops is cut off', async () => {
  expect(await send((request) => request.write('x'))).toMatchObject({ status: 400 });
});

test('a body that stops after the response is cut off, without further effects', async () => {
  endsEarly = true;
  const closed = Promise.withResolvers<void>();
  expect(await send((request) => request.once('close', () => closed.resolve()).write('x'))).toMatchObject({ status: 409 });
  expect(await outcome).toContain('too slow');
  await closed.promise;
});

test('a body that keeps arriving is read to its end, however long that takes', async () => {
  expect(await send((request) => pour(request, 5000, 30))).toMatchObject({ status: 200 });
});

test('time in which the body is not read does not count', async () => {
  let start = () => {};
  isRead = new Promise((resolve) => (start = resolve));
  const taken = send((request) => request.end(Buffer.alloc(10_000_000)));
  // Several windows long.
  setTimeout(start, 500);
  expect(await taken).toMatchObject({ status: 200 });
});
