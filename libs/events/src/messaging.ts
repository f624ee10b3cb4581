import type { Logger } from '@fanfare/runtime';
import { topics } from '@fanfare/contracts';
import type { Kafka } from 'kafkajs';
import type { Db, MongoClient } from 'mongodb';
import { startConsumer, type Consumer } from './consumer.ts';
import { createKafka, deadLetterTopicName, ensureTopics, topicName, type KafkaSettings } from './kafka.ts';
import { startRelay, type Relay } from './relay.ts';
import type { Subscription } from './subscription.ts';

/** A service's tie to Kafka: its relay, and its consumer when it listens to anything. */
export interface Messaging {
  readonly relay: Relay;
  /** Why events may not flow now; undefined while they do. */
  problem(): string | undefined;
  /** Stops consuming first, so that the last handled events are still relayed. */
  stop(): Promise<void>;
}

/** Creates missing topics, starts the relay, and the consumer of `group` when there are subscriptions. */
export async function startMessaging(options: {
  group: string;
  subscriptions: readonly Subscription[];
  mongo: { client: MongoClient; db: Db };
  settings: KafkaSettings;
  log: Logger;
  /** How long an event may wait for others, in milliseconds; unless given, not at all. */
  patienceMs?: number;
  afterCommit: () => void;
}): Promise<Messaging> {
  const { group, subscriptions, mongo, settings, log } = options;
  const kafka: Kafka = createKafka(settings, log);
  const names = [...Object.values(topics).map(({ name }) => topicName(settings, name)), deadLetterTopicName(settings, group)];
  await ensureTopics(kafka, names, settings.partitions);
  const relay = await startRelay({ db: mongo.db, kafka, settings, log });
  const afterCommit = () => {
    relay.wake();
    options.afterCommit();
  };
  const consumer: Consumer | undefined = subscriptions.length > 0 ? await startConsumer({ ...options, kafka, afterCommit }) : undefined;
  return {
    relay,
    problem: () => consumer?.problem() ?? relay.problem(),
    async stop() {
      await consumer?.stop();
      await relay.stop();
    },
  };
}
