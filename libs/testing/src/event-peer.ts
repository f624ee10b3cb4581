import type { Topic, topics as allTopics } from '@fanfare/contracts';
import { appendToOutbox, on, startMessaging, type Emission, type Received } from '@fanfare/events';
import { connectMongo, transaction } from '@fanfare/mongo';
import { createLogger } from '@fanfare/runtime';
import { eventually } from './eventually.ts';
import type { TestInfrastructure } from './infrastructure.ts';

/** The peer of a service under test: it emits and consumes events on the real Kafka, with its own database and consumer group. */
export interface EventPeer {
  /** Commits events to its outbox, in one transaction and in this order, and sends them. */
  emit<T>(topic: Topic<T>, events: readonly { emission: Emission; data: T }[]): Promise<void>;
  /** Every event received so far, in order; a repeated event (by its id) counts once, as for every consumer. */
  received<T>(topic: Topic<T>): readonly Received<T>[];
  stop(): Promise<void>;
}

type AnyTopic = (typeof allTopics)[keyof typeof allTopics];

/** @param topics the topics to consume */
export async function startEventPeer(
  infra: Pick<TestInfrastructure, 'mongoUrl' | 'kafkaBrokers' | 'database' | 'topicPrefix' | 'partitions'>,
  name: string,
  topics: readonly AnyTopic[],
): Promise<EventPeer> {
  const log = createLogger('peer', 'silent');
  const mongo = await connectMongo({ url: infra.mongoUrl, database: `${infra.database}_${name}`, service: 'peer' });
  const received = new Map<string, { topic: string; event: Received<unknown> }>();
  const messaging = startMessaging({
    findErased: async () => new Set(),
    group: `peer-${name}`,
    subscriptions: (topics as readonly Topic<unknown>[]).map((topic) =>
      on(topic, async (event) => void received.set(event.id, { topic: topic.name, event })),
    ),
    mongo,
    settings: {
      brokers: infra.kafkaBrokers,
      topicPrefix: infra.topicPrefix,
      partitions: infra.partitions,
      clientId: 'peer',
      sessionTimeoutMs: 6_000,
    },
    log,
    afterCommit: () => undefined,
  });
  await eventually(() => messaging.problem() === undefined);

  return {
    async emit(topic, events) {
      await transaction(mongo.client, async (session) => {
        for (const { emission, data } of events) await appendToOutbox(mongo.db, session, name, topic, emission, data);
      });
      messaging.relay.wake();
    },
    received: <T>(topic: Topic<T>) =>
      [...received.values()].filter((one) => one.topic === topic.name).map((one) => one.event as Received<T>),
    async stop() {
      await messaging.stop();
      await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}
