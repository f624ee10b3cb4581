import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { connectEngine, removeVolume } from '../src/docker/docker-engine.ts';
import { volumeOf } from '../src/docker/docker.ts';
import { freePorts, startInfra, type Infra, type InfraOptions } from '../src/index.ts';
import { checkKafka } from '../src/servers/check-kafka.ts';

const environment = { ...process.env };
let dataDir: string;
let said: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'fanfare-infra-'));
  said = [];
  delete process.env['MONGODB_URL'];
  delete process.env['KAFKA_BROKERS'];
});
afterEach(async () => {
  process.env = { ...environment };
  await rm(dataDir, { recursive: true, force: true });
});

const start = (options: Partial<InfraOptions> = {}) =>
  startInfra({ dataDir, keepData: false, onProgress: (line) => void said.push(line), ...options });

function forbidDocker(): void {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  process.env['FANFARE_MONGO_IMAGE'] = '127.0.0.1:1/no-such-image:1';
}

function forbidNative(): void {
  process.env['JAVA_HOME'] = dataDir;
}

test('if no way works, it reports why, and the three ways to fix it', async () => {
  forbidDocker();
  forbidNative();
  const error: Error = await start({ cacheDir: path.join(dataDir, 'cache') }).then(() => fail(), (e: Error) => e); // prettier-ignore
  expect(said.filter((line) => line.startsWith('cannot use'))).toEqual([
    expect.stringMatching(/^cannot use docker: (no Docker engine responds|the image 127\.0\.0\.1:1\/no-such-image:1 cannot be pulled: )/),
    expect.stringMatching(/^cannot use native: Java 17 or newer is needed for Kafka: JAVA_HOME is wrong: .*\/bin\/java does not exist\./),
  ]);
  expect(error.message).toMatch(/docker: .*\n.*native: .*\n.*\n.*MONGODB_URL and KAFKA_BROKERS.*\n.*Docker.*\n.*Java 17/);
  expect(await readdir(path.join(dataDir, 'infra'))).toEqual([]);
});

test('a MONGODB_URL that does not respond is named, without its password', async () => {
  const [port] = await freePorts(1);
  process.env['MONGODB_URL'] = `mongodb://user:secret@127.0.0.1:${port}/`;
  const error: Error = await start().then(() => fail(), (e: Error) => e); // prettier-ignore
  expect(error.message).toMatch(/^MONGODB_URL \(mongodb:\/\/…@127\.0\.0\.1:\d+\/\) cannot be used: .*ECONNREFUSED/);
  expect(error.message).not.toContain('secret');
});

test('a KAFKA_BROKERS that is not Kafka is named', async () => {
  const port = await listen((server) => server.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  process.env['KAFKA_BROKERS'] = `127.0.0.1:${port}`;
  await expect(start()).rejects.toThrow(
    `KAFKA_BROKERS (127.0.0.1:${port}) cannot be used: 127.0.0.1:${port} does not speak the Kafka protocol`,
  );
});

test.each(['MONGODB_URL', 'KAFKA_BROKERS'])('requesting given addresses without %s fails', async (name) => {
  const other = name === 'MONGODB_URL' ? 'KAFKA_BROKERS' : 'MONGODB_URL';
  process.env[other] = 'set';
  await expect(start({ provider: 'given' })).rejects.toThrow(`${name} is not set`);
});

test('a port in use is named', async () => {
  const port = await listen();
  await expect(start({ ports: { kafka: port } })).rejects.toThrow(`Port ${port}, which Kafka needs, is in use`);
});

test('data is kept from run to run, even on other ports, until a fresh start; given addresses are used, and only missing servers are started', async () => {
  const kept = async (options: Partial<InfraOptions>, use: (infra: Infra) => Promise<void>) => {
    const [mongo = 0, kafka = 0] = await freePorts(2);
    const infra = await start({ keepData: true, ports: { mongo, kafka }, ...options });
    try {
      await checkKafka(infra.kafkaBrokers[0] ?? '');
      await use(infra);
    } finally {
      await infra.stop();
    }
  };
  try {
    await kept({}, async (infra) => expect(await writeAndCount(infra)).toBe(1));
  } catch (error) {
    // A machine with nothing but the two addresses can run the other tests, but not this one.
    if (!environment['MONGODB_URL'] || !String(error).includes('could not be started')) throw error;
    return console.warn('Not tested, as this machine can start neither MongoDB nor Kafka.');
  }
  await kept({}, async (infra) => expect(await writeAndCount(infra)).toBe(2));
  await kept({ fresh: true }, async (first) => {
    expect(await writeAndCount(first)).toBe(1);

    process.env['MONGODB_URL'] = first.mongoUrl;
    const second = await start();
    expect(second.mongoUrl).toBe(first.mongoUrl);
    expect(second.how).toBe(first.how);
    process.env['KAFKA_BROKERS'] = second.kafkaBrokers.join(',');
    const third = await start();
    expect(third).toMatchObject({ how: 'given', mongoUrl: first.mongoUrl, kafkaBrokers: second.kafkaBrokers });
    await third.stop();
    await checkKafka(second.kafkaBrokers[0] ?? ''); // We do not stop servers at given addresses.
    await second.stop();
    await expect(checkKafka(second.kafkaBrokers[0] ?? '')).rejects.toThrow('ECONNREFUSED');
    if (first.how === 'docker') volumes = ['mongod', 'kafka'].map((server) => volumeOf(path.join(dataDir, 'infra/kept'), server));
  });
  for (const volume of volumes) await removeVolume(await connectEngine(), volume);
});

let volumes: string[] = [];

/** In a transaction, which only a replica set supports. */
async function writeAndCount({ mongoUrl }: Infra): Promise<number> {
  const client = await MongoClient.connect(mongoUrl);
  try {
    const runs = client.db('test').collection('runs');
    await client.withSession((session) => session.withTransaction(() => runs.insertOne({}, { session })));
    return await runs.countDocuments();
  } finally {
    await client.close();
  }
}

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listen(configure: (server: Server) => void = () => {}): Promise<number> {
  const server = createServer();
  configure(server);
  servers.push(server);
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return port;
}

function fail(): never {
  throw new Error('It should have failed.');
}
