import { topics } from '@fanfare/contracts';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { createLogger } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { createInboxIndexes, createOutboxIndexes, onAll, startMessaging, type EventsHandler } from '../src/index.ts';
import { createKafka, deadLetterTopicName, ensureTopics, topicName } from '../src/kafka/kafka.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 6, clientId: 'test', sessionTimeoutMs: 6_000 };
const log = createLogger('test', 'silent');
const kafka = createKafka(settings, log);
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const topic = topicName(settings, topics.integrationChanged.name);
const COUNT = 150;

beforeAll(async () => {
  await client.connect();
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  await ensureTopics(kafka, [topic], settings.partitions);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

/** A backlog, all in one partition, that a service receives when it starts. */
async function backlog(name: string, subjects: readonly string[], more: { readonly id?: string; readonly value?: Buffer }[] = []) {
  const producer = kafka.producer();
  await producer.connect();
  const headers = { ce_type: topics.integrationChanged.type, ce_revision: '1', ce_time: new Date().toISOString() };
  const messages = subjects.map((subject, index) => ({
    key: name,
    value: more[index]?.value ?? Buffer.alloc(0),
    headers: { ...headers, ce_id: more[index]?.id ?? `${name}-${index}`, ce_subject: `${name}:${subject}` },
  }));
  await producer.send({ topic, messages });
  await producer.disconnect();
}

/** A service with its own group that receives everything. @returns the batches that its handler got, of the events of one backlog */
async function listen(
  group: string,
  handle: EventsHandler<IntegrationChanged> = async () => undefined,
  concerns: (data: IntegrationChanged) => boolean = () => true,
) {
  const handed: string[][] = [];
  const messaging = startMessaging({
    findErased: async () => new Set(),
    group,
    subscriptions: [
      onAll(
        topics.integrationChanged,
        async (events, session) => {
          const ours = events.filter(({ subject }) => subject.startsWith(`${group}:`));
          handed.push(ours.map(({ subject }) => subject.slice(group.length + 1)));
          await handle(ours, session);
          const rows = ours.map(({ id, subject }) => ({ event_id: id, subject, group }));
          if (rows.length > 0) await db.collection('effects').insertMany(rows, { session });
        },
        { concerns },
      ),
    ],
    mongo: { client, db },
    settings,
    log,
    afterCommit: () => undefined,
  });
  return { handed, stop: messaging.stop };
}
const effects = async (group: string) =>
  (await db.collection('effects').find({ group }).sort({ _id: 1 }).toArray()).map(({ subject }) => String(subject).slice(group.length + 1));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));

test('a backlog is handled in batches, in order, each event once', async () => {
  await backlog('many', numbered(COUNT));
  const { handed, stop } = await listen('many');
  await eventually(async () => (await effects('many')).length === COUNT);
  expect(handed.flat()).toEqual(numbered(COUNT));
  expect(handed.filter((together) => together.length > 0).length).toBeLessThan(COUNT / 10);
  await stop();
});

test('events that are sent twice in one batch, or were handled before, have no second effect', async () => {
  await backlog('twice', ['a', 'b', 'a', 'c'], [{ id: 'same' }, {}, { id: 'same' }, {}]);
  await db.collection<{ _id: string }>('inbox').insertOne({ _id: 'twice:twice-3' });
  const { stop } = await listen('twice');
  await backlog('twice', ['last'], [{ id: 'the-last' }]);
  await eventually(async () => (await effects('twice')).includes('last'));
  expect(await effects('twice')).toEqual(['a', 'b', 'last']);
  await stop();
});

test('only the event that can never be handled becomes a dead letter: the others of its batch take effect, in order', async () => {
  const garbage = Buffer.from([0x0a, 0x7f, 0x01]);
  await backlog('mixed', ['0', 'poison', '2', 'garbage', '4'], [{}, {}, {}, { value: garbage }, {}]);
  const { stop } = await listen('mixed', async (events) => {
    if (events.some(({ subject }) => subject === 'mixed:poison')) throw new Error('I never work');
  });
  await eventually(async () => (await effects('mixed')).includes('4'));
  expect(await effects('mixed')).toEqual(['0', '2', '4']);
  expect(await deadLetters('mixed')).toBe(2);
  await stop();
});

/** Field 1, empty. */
const withIntegration = Buffer.from([0x0a, 0x00]);

test('events that do not concern a service change nothing there, and their offsets are committed', async () => {
  await backlog('choosy', ['no', 'yes', 'no'], [{}, { value: withIntegration }, {}]);
  const { handed, stop } = await listen('choosy', undefined, ({ integration }) => integration !== undefined);
  await eventually(async () => (await effects('choosy')).includes('yes'));
  // Also with events that others left in the topic.
  await eventually(async () => (await behind('choosy')) === 0);
  await stop();
  expect(handed.flat()).toEqual(['yes']);
  expect(
    await db
      .collection<{ _id: string }>('inbox')
      .find({ _id: /^choosy:/ })
      .toArray(),
  ).toMatchObject([{ _id: 'choosy:choosy-1' }]);
});

/** How many events a group would still receive when it starts again. */
async function behind(group: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  const [committed] = await admin.fetchOffsets({ groupId: settings.topicPrefix + group, topics: [topic] });
  await admin.disconnect();
  const at = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  // Partitions without events have none.
  return ends.reduce((sum, { partition, high }) => sum + Number(high) - Math.max(0, at.get(partition) ?? 0), 0);
}

async function deadLetters(group: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(deadLetterTopicName(settings, group));
  await admin.disconnect();
  return offsets.reduce((sum, { high }) => sum + Number(high), 0);
}
