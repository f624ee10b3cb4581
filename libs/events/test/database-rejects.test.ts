import { topics } from '@fanfare/contracts';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { createInboxIndexes, createOutboxIndexes, on, startMessaging } from '../src/index.ts';
import { createKafka, deadLetterTopicName, topicName } from '../src/kafka/kafka.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };

test('an event whose write the database rejects is never given up: readiness reports it, and it takes effect once the write is accepted', async () => {
  const client = await new MongoClient(mongoUrl).connect();
  const db = client.db(database);
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  // A server error without a label that marks it as temporary, like the error of a full disk or a missing permission.
  await db.createCollection('effects', { validator: { subject: { $ne: 'rejected' } } });
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
  const producer = kafka.producer();
  await producer.connect();
  await eventually(() => messaging.problem() === undefined);

  await producer.send({
    topic: topicName(settings, topics.integrationChanged.name),
    messages: [
      {
        key: 'rejected',
        value: Buffer.alloc(0),
        headers: { ce_id: 'id-rejected', ce_type: topics.integrationChanged.type, ce_subject: 'rejected', ce_time: '2026-07-17T10:00:00Z' },
      },
    ],
  });
  const failures = () => lines.filter(({ msg, subject }) => msg === 'could not handle an event; retrying' && subject === 'rejected');
  await eventually(() => failures().length >= 8, 40_000);
  await eventually(() => /^has been failing to handle an event of \S+ for \d+ s$/.test(messaging.problem() ?? ''), 40_000);
  expect(await deadLetters()).toBe(0);

  await db.command({ collMod: 'effects', validator: {} });
  await eventually(async () => (await db.collection('effects').countDocuments({ subject: 'rejected' })) === 1);
  await eventually(() => messaging.problem() === undefined);
  expect(await deadLetters()).toBe(0);

  await producer.disconnect();
  await messaging.stop();
  await db.dropDatabase();
  await client.close();

  async function deadLetters(): Promise<number> {
    const admin = kafka.admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(deadLetterTopicName(settings, 'listener'));
    await admin.disconnect();
    return offsets.reduce((sum, { high }) => sum + Number(high), 0);
  }
});
