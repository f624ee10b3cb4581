import { topics } from '@fanfare/contracts';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { counter, createLogger, gauge } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import {
  appendToOutbox,
  createInboxIndexes,
  createOutboxIndexes,
  on,
  startMessaging,
  type EventHandler,
  type Messaging,
} from '../src/index.ts';
import { createKafka, deadLetterTopicName, topicName } from '../src/kafka/kafka.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const log = createLogger('test', 'silent');
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 6, clientId: 'test', sessionTimeoutMs: 6_000, lateAfterMs: 1_000 };
const kafka = createKafka(settings, log);

const seen: { subject: string; revision: number }[] = [];
let handle: EventHandler<IntegrationChanged> = async () => undefined;
let messaging: Messaging;
/** The businesses and organizations that are erased. */
const erased = new Set<string>();

beforeAll(async () => {
  await client.connect();
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  messaging = startMessaging({
    findErased: async (ids) => new Set(ids.filter((id) => erased.has(id))),
    group: 'listener',
    subscriptions: [
      on(topics.integrationChanged, async (event, session) => {
        await handle(event, session);
        await db.collection('effects').insertOne({ subject: event.subject, revision: event.revision }, { session });
        seen.push({ subject: event.subject, revision: event.revision });
      }),
    ],
    mongo: { client, db },
    settings,
    log,
    afterCommit: () => undefined,
  });
});

afterAll(async () => {
  await messaging.stop();
  await db.dropDatabase();
  await client.close();
});

async function emit(subject: string, revision = 1, of?: { organizationId: string; businessId: string }) {
  await client.withSession((session) => session.withTransaction(() => append(session, subject, revision, of)));
  messaging.relay.wake();
}

const append = (
  session: Parameters<typeof appendToOutbox>[1],
  subject: string,
  revision = 1,
  of = { organizationId: 'o', businessId: 'b' },
) => appendToOutbox(db, session, 'test', topics.integrationChanged, { subject, revision, ...of, flowId: 'f' }, { integration: undefined });

const effects = (subject: string) => db.collection('effects').countDocuments({ subject });

test('an event of a committed transaction reaches its handler once, and its row leaves the outbox', async () => {
  await emit('committed');
  await eventually(async () => (await effects('committed')) === 1);
  await eventually(async () => (await db.collection('outbox').countDocuments()) === 0);
});

test('events of an erased business or organization have no effect, however late they arrive', async () => {
  erased.add('gone-business').add('gone-organization');
  await emit('of-business', 1, { organizationId: 'o', businessId: 'gone-business' });
  await emit('of-organization', 1, { organizationId: 'gone-organization', businessId: '' });
  await emit('of-others', 1, { organizationId: 'o', businessId: 'b' });
  // In one batch with others, or alone: their partitions have been read when the event after them is handled.
  for (const subject of ['of-business', 'of-organization']) await emit(subject, 2);
  await eventually(async () => (await effects('of-business')) + (await effects('of-organization')) + (await effects('of-others')) === 3);
  expect(await db.collection('effects').find({ subject: /^of-/, revision: 1 }).toArray()).toMatchObject([{ subject: 'of-others' }]);
});

test('an event of a transaction that was rolled back reaches no handler', async () => {
  await expect(
    client.withSession((session) =>
      session.withTransaction(async () => {
        await append(session, 'rolled-back');
        throw new Error('changed my mind');
      }),
    ),
  ).rejects.toThrow('changed my mind');
  await emit('after-the-rollback');
  await eventually(async () => (await effects('after-the-rollback')) === 1);
  expect(await effects('rolled-back')).toBe(0);
});

test('a message that Kafka delivers twice takes effect once', async () => {
  const producer = kafka.producer();
  await producer.connect();
  const headers = {
    ce_id: 'same-id',
    ce_type: topics.integrationChanged.type,
    ce_subject: 'twice',
    ce_revision: '1',
    ce_time: new Date().toISOString(),
  };
  const message = { key: 'twice', value: Buffer.alloc(0), headers };
  await producer.send({ topic: topicName(settings, topics.integrationChanged.name), messages: [message, message] });
  await producer.send({
    topic: topicName(settings, topics.integrationChanged.name),
    messages: [
      { ...message, key: 'twice' },
      { ...message, headers: { ...headers, ce_id: 'the-next', ce_subject: 'next' } },
    ],
  });
  await producer.disconnect();
  await eventually(async () => (await effects('next')) === 1);
  expect(await effects('twice')).toBe(1);
});

test('a handler that fails once is retried, and nothing of the failed attempt remains', async () => {
  let failures = 0;
  handle = async ({ subject }) => {
    if (subject === 'fails-once' && failures++ === 0) throw new Error('not now');
  };
  await emit('fails-once');
  await eventually(async () => (await effects('fails-once')) === 1);
  expect(failures).toBe(2);
});

test('a consumer that is alive and handles nothing is reported until it handles events again', async () => {
  let finish: () => void = () => undefined;
  const stands = new Promise<void>((resolve) => (finish = resolve));
  handle = async ({ subject }) => void (subject === 'stands-still' && (await stands));
  await emit('stands-still');
  try {
    await eventually(() => messaging.problem()?.includes('integration'));
    const lag = gauge('fanfare_events_oldest_unhandled_seconds', '');
    await eventually(async () => ((await lag.get()).values[0]?.value ?? 0) > 0);
  } finally {
    finish();
  }
  await eventually(async () => (await effects('stands-still')) === 1);
  await eventually(() => messaging.problem() === undefined);
});

test('an event that can never be handled becomes a dead letter with its reason, and does not delay later ones', async () => {
  const tries: string[] = [];
  handle = async ({ subject }) => {
    tries.push(subject);
    if (subject === 'poison') throw new Error('I never work');
  };
  const deadLettered: { subject: string | undefined; error: string | undefined }[] = [];
  const consumer = kafka.consumer({ groupId: `${topicPrefix}undertaker` });
  await consumer.connect();
  await consumer.subscribe({ topics: [deadLetterTopicName(settings, 'listener')], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      deadLettered.push({ subject: message.headers?.['ce_subject']?.toString(), error: message.headers?.['fanfare-error']?.toString() });
    },
  });
  const countBefore = await countDeadLetters();
  // An alert sees a counter grow, and nothing when it begins with the first dead letter.
  expect((await deadLetterCounts()).map(({ labels }) => labels.topic)).toContain(topicName(settings, topics.integrationChanged.name));
  await emit('poison');
  await emit('healthy');
  await eventually(async () => (await effects('healthy')) === 1);
  await eventually(() => deadLettered.length > 0);
  expect(deadLettered).toEqual([{ subject: 'poison', error: expect.stringContaining('I never work') }]);
  expect(await effects('poison')).toBe(0);
  // Once in its batch, and five times by itself.
  expect(tries.filter((subject) => subject === 'poison')).toHaveLength(6);

  // Not protobuf: its first field claims to be longer than the message.
  const garbage = { key: 'garbage', value: Buffer.from([0x0a, 0x7f, 0x01]), headers: garbageHeaders };
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic: topicName(settings, topics.integrationChanged.name), messages: [garbage] });
  await producer.disconnect();
  await eventually(() => deadLettered.length > 1);
  expect(deadLettered[1]).toMatchObject({ subject: 'garbage' });
  expect(tries).not.toContain('garbage');
  expect((await countDeadLetters()) - countBefore).toBe(2);
  await consumer.disconnect();
});

const garbageHeaders = {
  ce_id: 'garbage',
  ce_type: topics.integrationChanged.type,
  ce_subject: 'garbage',
  ce_time: '2026-07-17T10:00:00Z',
};

const deadLetterCounts = async () => (await counter('fanfare_dead_letters_total', '', ['topic']).get()).values;
const countDeadLetters = async () => (await deadLetterCounts()).reduce((sum, { value }) => sum + value, 0);
