import { fork } from 'node:child_process';
import path from 'node:path';
import { topics } from '@fanfare/contracts';
import { createLogger } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { appendToOutbox, createInboxIndexes, createOutboxIndexes, on, startMessaging } from '../src/index.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };
const client = new MongoClient(mongoUrl);
const db = client.db(database);

beforeAll(() => client.connect());
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

test('a relay that is killed between the acknowledgement of Kafka and the mark sends again, and the event takes effect once', async () => {
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  await client.withSession((session) =>
    session.withTransaction(() =>
      appendToOutbox(
        db,
        session,
        'test',
        topics.integrationChanged,
        { subject: 'survivor', revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' },
        { integration: undefined },
      ),
    ),
  );

  const relay = fork(path.join(import.meta.dirname, 'relay-that-dies.ts'), [JSON.stringify({ mongoUrl, database, settings })], {
    execPath: process.execPath,
    execArgv: [],
  });
  const signal = await new Promise((resolve) => relay.once('exit', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
  expect(await db.collection('outbox').countDocuments()).toBe(1);
  // The dead relay's lease ends by the database's clock; the test does not wait for it.
  await db.collection('outbox').updateMany({}, { $set: { claimed_until: new Date(0) } });

  let sent = 0;
  const messaging = startMessaging({
    findErased: async () => new Set(),
    group: 'listener',
    subscriptions: [
      on(
        topics.integrationChanged,
        async ({ subject }, session) => void (await db.collection('effects').insertOne({ subject }, { session })),
      ),
    ],
    mongo: { client, db },
    settings,
    log: createLogger('test', 'silent'),
    afterCommit: () => undefined,
  });
  await eventually(async () => (await db.collection('outbox').countDocuments()) === 0);
  sent = await eventually(() => countMessages());
  await eventually(async () => (await db.collection('effects').countDocuments()) > 0);
  await eventually(() => caughtUp());
  await messaging.stop();
  expect(sent).toBe(2);
  expect(await db.collection('effects').countDocuments({ subject: 'survivor' })).toBe(1);
});

async function countMessages(): Promise<number | undefined> {
  const { high } = await offsets();
  return high >= 2 ? high : undefined;
}

async function caughtUp(): Promise<boolean> {
  const { high, committed } = await offsets();
  return committed >= high;
}

async function offsets(): Promise<{ high: number; committed: number }> {
  const { createKafka, topicName } = await import('../src/kafka/kafka.ts');
  const admin = createKafka(settings, createLogger('test', 'silent')).admin();
  await admin.connect();
  const topic = topicName(settings, topics.integrationChanged.name);
  const high = (await admin.fetchTopicOffsets(topic)).reduce((sum, partition) => sum + Number(partition.high), 0);
  const [group] = await admin.fetchOffsets({ groupId: `${topicPrefix}listener`, topics: [topic] });
  const committed = (group?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
  await admin.disconnect();
  return { high, committed };
}
