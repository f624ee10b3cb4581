import { eventually, startTcpProxy, testInfrastructure, type TcpProxy } from '@fanfare/testing';
import { connectMongo, type Mongo } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The test's MongoDB, through a door that can be shut. */
async function connect(): Promise<{ mongo: Mongo; door: TcpProxy }> {
  const door = await startTcpProxy(Number(new URL(mongoUrl).port));
  closing.push(door.close);
  const url = `mongodb://127.0.0.1:${door.port}/?directConnection=true&heartbeatFrequencyMS=500`;
  const mongo = await connectMongo({ url, database, service: 'test' });
  closing.push(mongo.close);
  return { mongo, door };
}

test('says that the database is away while it is, and works on when it is back', async () => {
  const { mongo, door } = await connect();
  expect(mongo.problem()).toBeUndefined();
  door.shut();
  expect(await eventually(() => mongo.problem())).toMatch(/MongoDB/);
  door.open();
  await eventually(() => mongo.problem() === undefined);
  expect(await mongo.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('a member that has no primary any more is as good as away, one that is away beside a primary is not', async () => {
  const { mongo } = await connect();
  const topology = (...servers: { isWritable: boolean }[]) =>
    mongo.client.emit('topologyDescriptionChanged', { newDescription: { servers: new Map(servers.entries()) } } as never);
  topology({ isWritable: false }, { isWritable: false });
  expect(mongo.problem()).toMatch(/primary/);
  topology({ isWritable: false }, { isWritable: true });
  expect(mongo.problem()).toBeUndefined();
});
