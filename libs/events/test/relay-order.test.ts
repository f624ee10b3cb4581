import { topics } from '@fanfare/contracts';
import { createLogger } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import type { Kafka, ProducerBatch } from 'kafkajs';
import { MongoClient, type ClientSession } from 'mongodb';
import { appendToOutbox, createOutboxIndexes } from '../src/index.ts';
import { createKafka } from '../src/kafka/kafka.ts';
import { startRelay } from '../src/relay.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };
const log = createLogger('test', 'silent');
const client = new MongoClient(mongoUrl);
const db = client.db(database);

beforeAll(async () => {
  await client.connect();
  await createOutboxIndexes(db);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const append = (session: ClientSession, subject: string) =>
  appendToOutbox(
    db,
    session,
    'test',
    topics.integrationChanged,
    { subject, revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' },
    { integration: undefined },
  );
const emit = (subject: string) => client.withSession((session) => session.withTransaction(() => append(session, subject)));

/** A relay that connects to Kafka when the test says so, and what it has sent. */
function startUnconnected(beforeSending: (subjects: string[]) => Promise<void> = async () => undefined) {
  const sent: string[] = [];
  let connect: () => void = () => undefined;
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const real = createKafka(settings, log);
  const kafka = {
    admin: () => real.admin(),
    producer: () => ({
      connect: () => connected,
      disconnect: async () => undefined,
      async sendBatch({ topicMessages }: ProducerBatch) {
        const subjects = topicMessages!.flatMap(({ messages }) => messages.map(({ key }) => String(key)));
        await beforeSending(subjects);
        sent.push(...subjects);
      },
    }),
  } as unknown as Kafka;
  return { relay: startRelay({ db, kafka, settings, log }), connect, sent };
}

test('an event whose transaction began before the relay was connected is sent before later ones', async () => {
  const { relay, connect, sent } = startUnconnected();
  await emit('before');
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await append(session, 'began before');
      connect();
      await eventually(() => sent.includes('before'));
    }),
  );
  await emit('after');
  relay.wake();
  await eventually(() => sent.length === 3);
  await relay.stop();
  expect(sent).toEqual(['before', 'began before', 'after']);
});

test('an event whose lease is nearly over is sent before later ones', async () => {
  const { relay, connect, sent } = startUnconnected();
  await emit('nearly over');
  await db.collection('outbox').updateMany({}, [{ $set: { claimed_until: { $add: ['$$NOW', 400] } } }]);
  await emit('later');
  connect();
  await eventually(() => sent.length === 2);
  await relay.stop();
  expect(sent).toEqual(['nearly over', 'later']);
});

test('an event that Kafka rejected once is sent before later ones', async () => {
  let rejected = 0;
  const { relay, connect, sent } = startUnconnected(async (subjects) => {
    if (subjects.includes('rejected') && rejected++ === 0) throw new Error('not now');
  });
  connect();
  await emit('rejected');
  relay.wake();
  await eventually(async () => (await db.collection('outbox').countDocuments({ claimed_until: new Date(0) })) === 1);
  await emit('later');
  relay.wake();
  await eventually(() => sent.length === 2);
  await relay.stop();
  expect(sent).toEqual(['rejected', 'later']);
});
