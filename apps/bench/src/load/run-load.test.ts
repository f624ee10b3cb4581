import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLoadGenerator } from './run-load.ts';

test('keeps as many concurrent requests as configured, and counts every response', async () => {
  const waiting: ServerResponse[] = [];
  let received = 0;
  let most = 0;
  // No response is sent before four requests wait: with fewer concurrent requests this would never end.
  const served = await serve((_request, response) => {
    received++;
    waiting.push(response);
    most = Math.max(most, waiting.length);
    if (waiting.length === 4 || received === 50) for (const each of waiting.splice(0)) each.end('four');
  });
  const generator = createLoadGenerator(getFrom(served.origin), 4);
  const load = await generator.run({ requests: 50, seconds: 30 });
  expect(load.responses).toBe(50);
  expect(load.latenciesMs).toHaveLength(50);
  expect(load.bytes).toBe(200);
  expect(most).toBe(4);
  await generator.close();
  served.close();
});

test('a response without success ends it, and the error includes the response', async () => {
  const served = await serve((_request, response) => response.writeHead(429).end('too many'));
  const generator = createLoadGenerator(getFrom(served.origin), 1);
  await expect(generator.run({ requests: 5, seconds: 30 })).rejects.toThrow('returned 429: too many');
  await generator.close();
  served.close();
});

const getFrom = (origin: string) => ({ origin, request: () => ({ method: 'GET' as const, path: '/' }) });

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
