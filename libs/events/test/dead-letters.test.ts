import { topics } from '@fanfare/contracts';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { createLogger } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import {
  appendAllToOutbox,
  createInboxIndexes,
  createOutboxIndexes,
  on,
  readDeadLetters,
  replayDeadLetters,
  startListener,
  startMessaging,
  type EventHandler,
  type Listener,
  type Messaging,
} from '../src/index.ts';

// Two services handle the same events: one of them has a bug.
const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const client = new MongoClient(mongoUrl);
const db = client.db(database);
const otherDb = client.db(`${database}_other`);
const log = createLogger('test', 'silent');
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 2, clientId: 'test', sessionTimeoutMs: 6_000 };

let hasBug = true;
const handled: { broken: string[]; other: string[] } = { broken: [], other: [] };
const handle: EventHandler<IntegrationChanged> = async ({ subject }, session) => {
  if (hasBug && subject.startsWith('poison')) throw new TypeError('This is a bug');
  await db.collection('effects').insertOne({ subject }, { session });
  handled.broken.push(subject);
};
let messaging: Messaging;
let other: Listener;

beforeAll(async () => {
  await client.connect();
  for (const each of [db, otherDb]) await Promise.all([createOutboxIndexes(each), createInboxIndexes(each)]);
  const common = { settings, log, afterCommit: () => undefined };
  messaging = startMessaging({
    ...common,
    findErased: async () => new Set(),
    group: 'broken',
    subscriptions: [on(topics.integrationChanged, handle)],
    mongo: { client, db },
  });
  other = startListener({
    findErased: async () => new Set(),
    ...common,
    group: 'other',
    subscriptions: [on(topics.integrationChanged, async ({ subject }) => void handled.other.push(subject))],
    mongo: { client, db: otherDb },
  });
});
afterAll(async () => {
  await Promise.all([messaging.stop(), other.stop()]);
  await Promise.all([db.dropDatabase(), otherDb.dropDatabase()]);
  await client.close();
});

async function emit(...subjects: string[]): Promise<void> {
  const events = subjects.map((subject) => ({
    emission: { subject, revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' },
    data: { integration: undefined },
  }));
  await client.withSession((session) =>
    session.withTransaction(() => appendAllToOutbox(db, session, 'test', topics.integrationChanged, events)),
  );
  messaging.relay.wake();
}
/** An event that Kafka delivers again, because the group was rebalanced before it was committed, is a dead letter twice. */
async function lettersOf(prefix: string) {
  const all = (await readDeadLetters(settings, log, () => true)).filter(({ headers }) => headers['ce_subject']?.startsWith(prefix));
  return [...new Map(all.map((one) => [`${one.headers['ce_id']} ${one.headers['fanfare-replay']}`, one])).values()];
}
const untilDead = (prefix: string, count: number) =>
  eventually(async () => {
    const letters = await lettersOf(prefix);
    return letters.length === count && letters;
  });
const effects = (subject: string) => db.collection('effects').countDocuments({ subject });

test('a replayed event is handled by the service that could not handle it, once, and by no other', async () => {
  await emit('poison 1', 'poison 2');
  const letters = await untilDead('poison', 2);
  expect(letters.map(({ group, topic, error, key }) => ({ group, topic, error, key }))).toEqual(
    expect.arrayContaining(
      ['poison 1', 'poison 2'].map((key) => ({
        group: 'broken',
        topic: 'publisher.integrations',
        error: expect.stringContaining('This is a bug'),
        key,
      })),
    ),
  );
  await eventually(() => handled.other.length === 2);

  // The bug is still there.
  const again = await replayDeadLetters(settings, log, letters.slice(0, 1));
  expect([...again.values()]).toEqual(['failed_again']);
  expect(await lettersOf('poison')).toHaveLength(3);

  hasBug = false;
  for (let round = 0; round < 2; round++) {
    const all = await lettersOf('poison');
    const results = await replayDeadLetters(settings, log, all);
    expect([...results.entries()].toSorted()).toEqual(all.map(({ id }) => [id, 'handled']).toSorted());
  }
  for (const subject of ['poison 1', 'poison 2']) expect(await effects(subject)).toBe(1);
  // Events that follow the replayed ones are handled as before.
  await emit('healthy');
  await eventually(() => handled.other.includes('healthy') && handled.broken.includes('healthy'));
  expect(handled.other.filter((subject) => subject.startsWith('poison'))).toHaveLength(2);
  expect(await lettersOf('poison')).toHaveLength(3);
});

test('an event whose service does not run is sent, and handled when it runs again', async () => {
  hasBug = true;
  await emit('poison later');
  const letters = await untilDead('poison later', 1);
  hasBug = false;
  await messaging.stop();
  expect([...(await replayDeadLetters(settings, log, letters, 0)).values()]).toEqual(['sent']);
  messaging = startMessaging({
    findErased: async () => new Set(),
    ...{ settings, log, afterCommit: () => undefined },
    group: 'broken',
    subscriptions: [on(topics.integrationChanged, handle)],
    mongo: { client, db },
  });
  await eventually(async () => (await effects('poison later')) === 1);
});
