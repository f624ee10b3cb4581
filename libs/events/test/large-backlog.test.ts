import { randomBytes } from 'node:crypto';
import { topics } from '@fanfare/contracts';
import { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { createLogger } from '@fanfare/runtime';
import { eventually, testInfrastructure } from '@fanfare/testing';
import { MongoClient } from 'mongodb';
import { appendToOutbox, createInboxIndexes, createOutboxIndexes, on, startMessaging } from '../src/index.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };

test('a backlog of events, each nearly as large as a request may be, is handled', async () => {
  const client = await new MongoClient(mongoUrl).connect();
  const db = client.db(database);
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  const revisions: number[] = [];
  const backlog = Array.from({ length: 12 }, (_, n) => n + 1);
  for (const revision of backlog) {
    // Random, so that compression does not make it smaller.
    const pictureUrl = randomBytes(660 << 10).toString('base64');
    const emission = { subject: 'same-partition', revision, organizationId: 'o', businessId: 'b', flowId: 'f' };
    await client.withSession((session) =>
      session.withTransaction(() =>
        appendToOutbox(
          db,
          session,
          'test',
          topics.integrationChanged,
          emission,
          IntegrationChanged.fromPartial({ integration: { pictureUrl } }),
        ),
      ),
    );
  }

  const messaging = startMessaging({
    findErased: async () => new Set(),
    group: 'listener',
    subscriptions: [on(topics.integrationChanged, async ({ revision }) => void revisions.push(revision))],
    mongo: { client, db },
    settings,
    log: createLogger('test', 'silent'),
    afterCommit: () => undefined,
  });
  await eventually(() => revisions.length === backlog.length, 30_000);
  expect(revisions).toEqual(backlog);
  await eventually(async () => (await db.collection('outbox').countDocuments()) === 0);

  await messaging.stop();
  await db.dropDatabase();
  await client.close();
});
