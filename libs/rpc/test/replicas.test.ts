import { promises as dns } from 'node:dns';
import { ContentServiceService } from '@fanfare/contracts/content';
import { eventually, recordLog } from '@fanfare/testing';
import { createRpcClient } from '../src/index.ts';
import { aCall, runContent } from './running-content.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  jest.restoreAllMocks();
});

/** Replicas have the same port and different addresses. */
const replica = async (host: string, port = 0) => {
  const handlers = { listBusinesses: async () => ({ businesses: [], nextPageToken: host }) };
  const server = await runContent(handlers, { host, port, maxConnectionAgeMs: 300 });
  closing.push(server.stop);
  return server;
};

test('calls go to all replicas, also to one that is added later, and to none that was removed', async () => {
  const first = await replica('127.0.0.1');
  let addresses = ['127.0.0.1'];
  // Stands for the DNS of a cluster, which returns every pod of a headless service.
  const lookup = jest.spyOn(dns, 'lookup') as unknown as jest.SpyInstance;
  lookup.mockImplementation(async () => addresses.map((address) => ({ address, family: 4 })));
  const { client, close } = createRpcClient({
    target: 'content',
    address: `content.test:${first.port}`,
    definition: ContentServiceService,
    log: recordLog().log,
  });
  closing.push(close);
  const servedBy = async () =>
    (await client.listBusinesses({ name: '', pageSize: 1, pageToken: '', organizationIds: [] }, { call: aCall() })).nextPageToken;
  expect([await servedBy(), await servedBy()]).toEqual(['127.0.0.1', '127.0.0.1']);

  const second = await replica('127.0.0.2', first.port);
  addresses = ['127.0.0.1', '127.0.0.2'];
  await eventually(async () => new Set([await servedBy(), await servedBy()]).size === 2);

  addresses = ['127.0.0.2'];
  await first.stop();
  expect(new Set(await Promise.all(Array.from({ length: 6 }, servedBy)))).toEqual(new Set(['127.0.0.2']));
  expect(second.port).toBe(first.port);
});
