import { eventually, startTcpProxy, testInfrastructure, type TcpProxy } from '@fanfare/testing';
import { register } from 'prom-client';
import { connectMongo, type Mongo } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The test's MongoDB, behind a proxy that can be closed. */
async function connect(): Promise<{ mongo: Mongo; proxy: TcpProxy }> {
  const proxy = await startTcpProxy(Number(new URL(mongoUrl).port));
  closing.push(proxy.close);
  const url = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true&heartbeatFrequencyMS=500`;
  const mongo = await connectMongo({ url, database, service: 'test' });
  closing.push(mongo.close);
  return { mongo, proxy };
}

test('reports a problem while the database is unavailable, and works again afterwards', async () => {
  const { mongo, proxy } = await connect();
  expect(mongo.problem()).toBeUndefined();
  proxy.disconnect();
  expect(await eventually(() => mongo.problem())).toMatch(/MongoDB/);
  proxy.open();
  await eventually(() => mongo.problem() === undefined);
  expect(await mongo.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('a member without a primary is a problem; an unavailable member beside a primary is not', async () => {
  const { mongo } = await connect();
  const topology = (...servers: { isWritable: boolean }[]) =>
    mongo.client.emit('topologyDescriptionChanged', { newDescription: { servers: new Map(servers.entries()) } } as never);
  topology({ isWritable: false }, { isWritable: false });
  expect(mongo.problem()).toMatch(/primary/);
  topology({ isWritable: false }, { isWritable: true });
  expect(mongo.problem()).toBeUndefined();
});

test('measures how long operations wait for connections, and whether there is a primary', async () => {
  const valueOf = async (name: string, part = name) =>
    Number(new RegExp(`^${part}(?:{[^}]*})? (\\S+)$`, 'm').exec(await register.getSingleMetricAsString(name))?.[1]);
  const { mongo, proxy } = await connect();
  const waits = () => valueOf('fanfare_mongodb_checkout_seconds', 'fanfare_mongodb_checkout_seconds_count');
  const before = await waits();
  await mongo.db.command({ ping: 1 });
  expect(await waits()).toBeGreaterThan(before);
  await eventually(async () => (await valueOf('fanfare_mongodb_round_trip_seconds', 'fanfare_mongodb_round_trip_seconds_count')) > 0);
  await eventually(async () => (await valueOf('fanfare_mongodb_connections_in_use')) === 0);
  expect(await valueOf('fanfare_mongodb_available')).toBe(1);
  proxy.disconnect();
  await eventually(async () => (await valueOf('fanfare_mongodb_available')) === 0);
});
