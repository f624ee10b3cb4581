import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { guardedConnector } from './guarded-connector.ts';

let inside: Server;
let outside: Server;
let port: number;
let insideConnections: number;

/** Two servers on one port: 127.0.0.1 stands for the public internet, 127.0.0.2 for our own network. */
beforeEach(async () => {
  insideConnections = 0;
  outside = createServer((_request, response) => response.end('public'));
  inside = createServer((_request, response) => response.end('secret')).on('connection', () => insideConnections++);
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  port = (outside.address() as AddressInfo).port;
  await new Promise<void>((resolve) => inside.listen(port, '127.0.0.2', resolve));
});
afterEach(async () => {
  for (const server of [inside, outside]) await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
});

async function get(lookup: LookupFunction, allowedOrigins: string[] = []): Promise<string> {
  const connect = guardedConnector({ lookup, allowedOrigins: new Set(allowedOrigins), isAllowed: (address) => address === '127.0.0.1' });
  const agent = new Agent({ connect, allowH2: false });
  try {
    return await (await request(`http://images.test:${port}/`, { dispatcher: agent })).body.text();
  } finally {
    await agent.destroy();
  }
}

const resolvingTo = (...addresses: string[]): LookupFunction => {
  return (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
};

test('connects to a name that resolves to a public address', async () => {
  expect(await get(resolvingTo('127.0.0.1'))).toBe('public');
});

test.each([[['127.0.0.2']], [['127.0.0.1', '127.0.0.2']], [['127.0.0.2', '127.0.0.1']], [['::ffff:127.0.0.2']]])(
  'rejects a name that resolves to %j',
  async (addresses) => {
    await expect(get(resolvingTo(...addresses))).rejects.toMatchObject({ reason: 'address_not_public' });
    expect(insideConnections).toBe(0);
  },
);

test('rejects a name that does not resolve', async () => {
  await expect(get(resolvingTo())).rejects.toMatchObject({ reason: 'host_not_found' });
});

test('connects to the address that was checked, even if the name resolves to another one afterwards', async () => {
  const publicOnce = ['127.0.0.1'];
  const rebinding: LookupFunction = (host, options, callback) => resolvingTo(publicOnce.shift() ?? '127.0.0.2')(host, options, callback);
  expect(await get(rebinding)).toBe('public');
  await expect(get(rebinding)).rejects.toMatchObject({ reason: 'address_not_public' });
  expect(insideConnections).toBe(0);
});

test('an allowed origin is not checked', async () => {
  expect(await get(resolvingTo('127.0.0.2'), [`http://images.test:${port}`])).toBe('secret');
});
