import { topics } from '@fanfare/contracts';
import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import { eventually, recordLog, testInfrastructure } from '@fanfare/testing';
import kafkajs from 'kafkajs';
import { MongoClient } from 'mongodb';
import { appendToOutbox, createInboxIndexes, createOutboxIndexes, on, startMessaging } from '../src/index.ts';
import { createKafka, deadLetterTopicName, ensureTopics } from '../src/kafka/kafka.ts';

const { mongoUrl, kafkaBrokers, database, topicPrefix } = testInfrastructure();
const settings = { brokers: kafkaBrokers, topicPrefix, partitions: 1, clientId: 'test', sessionTimeoutMs: 6_000 };

test('a consumer that crashes for a reason that kafkajs does not retry is replaced, and no event is lost', async () => {
  const { log, lines } = recordLog();
  const client = await new MongoClient(mongoUrl).connect();
  const db = client.db(database);
  await createOutboxIndexes(db);
  await createInboxIndexes(db);
  const kafka = createKafka(settings, log);
  const deadLetters = deadLetterTopicName(settings, 'crashing');
  await ensureTopics(kafka, [deadLetters], 1);
  const admin = kafka.admin();
  await admin.connect();
  // Kafka rejects every message of this size, with an error that is not retriable.
  const limitDeadLetters = (bytes: number) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: deadLetters,
          configEntries: [{ name: 'max.message.bytes', value: String(bytes) }],
        },
      ],
    });
  await limitDeadLetters(1);

  const handled: string[] = [];
  const messaging = startMessaging({
    findErased: async () => new Set(),
    group: 'crashing',
    subscriptions: [
      on<IntegrationChanged>(topics.integrationChanged, async ({ subject }) => {
        if (subject === 'poison') throw new Error('I never work');
        handled.push(subject);
      }),
    ],
    mongo: { client, db },
    settings,
    log,
    afterCommit: () => undefined,
  });
  await client.withSession((session) =>
    session.withTransaction(async () => {
      for (const subject of ['poison', 'healthy']) {
        const emission = { subject, revision: 1, organizationId: 'o', businessId: 'b', flowId: 'f' };
        await appendToOutbox(db, session, 'test', topics.integrationChanged, emission, { integration: undefined });
      }
    }),
  );
  messaging.relay.wake();
  await eventually(() => lines.some(({ msg, restart }) => msg === 'consumer crashed' && restart === false));

  await limitDeadLetters(1 << 20);
  await eventually(() => handled.includes('healthy'));
  await eventually(() => messaging.problem() === undefined);

  await messaging.stop();
  await admin.disconnect();
  await db.dropDatabase();
  await client.close();
});
