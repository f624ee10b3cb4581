import { topics } from '@fanfare/contracts';
import { eventually, recordLog, startTcpProxy, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { createInboxIndexes, createOutboxIndexes, on, startMessaging } from '../src/index.ts';
import { createKafka, deadLetterTopicName, topicName } from '../src/kafka/kafka.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };
/** An event that fails this often for a reason of its own is given up. */
const MORE_THAN_ENOUGH_FAILURES = 7;

test('while the database is unavailable an event waits, however often it is retried: it does not become a dead letter, and takes effect afterwards', async () => {
  const door = await startTcpProxy(Number(new URL(mongoUrl).port));
  const behindTheDoor = `mongodb://127.0.0.1:${door.port}/?directConnection=true&serverSelectionTimeoutMS=2000&heartbeatFrequencyMS=500`;
  const client = await new MongoClient(behindTheDoor).connect();
  const db = client.db(database);
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  const { log, lines } = recordLog();
  const messaging = startMessaging({
    findErased: async () => new Set(),
    group: 'listener',
    subscriptions: [
      on(topics.integrationChanged, async ({ subject }, session) => {
        await db.collection('effects').insertOne({ subject }, { session });
      }),
    ],
    mongo: { client, db },
    settings,
    log,
    afterCommit: () => undefined,
  });
  const kafka = createKafka(settings, log);
  await eventually(() => messaging.problem() === undefined);

  door.disconnect();
  await send('patient');
  const failures = () => lines.filter(({ msg, subject }) => msg === 'could not handle an event; retrying' && subject === 'patient');
  await eventually(() => failures().length >= MORE_THAN_ENOUGH_FAILURES, 90_000);
  await eventually(() => messaging.problem());

  door.open();
  await eventually(async () => (await db.collection('effects').countDocuments({ subject: 'patient' })) === 1);
  expect(await deadLetters()).toBe(0);
  await eventually(() => messaging.problem() === undefined);

  await messaging.stop();
  await db.dropDatabase();
  await client.close();
  await door.close();

  async function send(subject: string) {
    const headers = {
      ce_id: `id-${subject}`,
      ce_type: topics.integrationChanged.type,
      ce_subject: subject,
      ce_time: '2026-07-17T10:00:00Z',
    };
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({
      topic: topicName(settings, topics.integrationChanged.name),
      messages: [{ key: subject, value: Buffer.alloc(0), headers }],
    });
    await producer.disconnect();
  }

  async function deadLetters(): Promise<number> {
    const admin = kafka.admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(deadLetterTopicName(settings, 'listener'));
    await admin.disconnect();
    return offsets.reduce((sum, { high }) => sum + Number(high), 0);
  }
});
