import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Agent, request } from 'undici';
import { guardedConnector } from '../src/guarded-connector.ts';
import { createGuardedClient } from '../src/index.ts';
import { aDnsServer, type ADnsServer } from './a-dns-server.ts';
import { aWebServer } from './a-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function dnsWith(names: Record<string, string[][]>): Promise<ADnsServer> {
  const server = await aDnsServer(names);
  closing.push(server.stop);
  return server;
}

describe('a name that resolves to', () => {
  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['a private address', ['10.1.2.3']],
    ['the metadata service', ['169.254.169.254']],
    ['0.0.0.0', ['0.0.0.0']],
    ['::1', ['::1']],
    ['a mapped loopback address', ['::ffff:127.0.0.1']],
    ['a unique-local address', ['fd00::1']],
    ['public and private', ['93.184.216.34', '10.1.2.3']],
    ['public over IPv4 and loopback over IPv6', ['93.184.216.34', '::1']],
  ])('%s is rejected', async (_what, addresses) => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'guarded-http-'));
    closing.push(() => rm(directory, { recursive: true }));
    const dns = await dnsWith({ 'images.example.com': [addresses] });
    const client = createGuardedClient({ lookup: dns.lookup });
    closing.push(() => client.close());
    const download = client.download('http://images.example.com/a.jpg', {
      toFile: path.join(directory, 'a'),
      maxBytes: 10,
      timeoutMs: 30_000,
    });
    await expect(download).rejects.toMatchObject({ reason: 'address_not_public' });
    expect(dns.requested).toEqual(['images.example.com']);
    expect(await readdir(directory)).toEqual([]);
  });

  test('no address is not found', async () => {
    const dns = await dnsWith({});
    const client = createGuardedClient({ lookup: dns.lookup });
    closing.push(() => client.close());
    const fetched = client.fetch('http://images.example.com/', { maxBytes: 10, timeoutMs: 30_000 }, async () => undefined);
    await expect(fetched).rejects.toMatchObject({ reason: 'host_not_found' });
  });
});

test('a name that resolves to a public address first and to a private one afterwards does not reach the private one', async () => {
  // 127.0.0.1 stands for the public internet, 127.0.0.2 for our own network.
  const outside = await aWebServer((_request, response) => response.end('public'));
  const inside = await aWebServer((_request, response) => response.end('secret'), '127.0.0.2', outside.port);
  closing.push(outside.stop, inside.stop);
  const dns = await dnsWith({ 'rebinding.example.com': [['127.0.0.1'], ['127.0.0.2']] });
  const connect = guardedConnector({ lookup: dns.lookup, allowedOrigins: new Set(), isAllowed: (address) => address === '127.0.0.1' });
  const agent = new Agent({ connect, allowH2: false, pipelining: 0 });
  closing.push(() => agent.destroy());
  const get = async () => (await request(`http://rebinding.example.com:${outside.port}/`, { dispatcher: agent })).body.text();

  // A client with one lookup for the check and another one to connect would fail here.
  expect(await get()).toBe('public');
  expect(dns.requested).toHaveLength(1);
  await expect(get()).rejects.toMatchObject({ reason: 'address_not_public' });
  expect(dns.requested).toHaveLength(2);
  expect(inside.hits()).toBe(0);
});
