import { backoffMs, readGauge, startLoop, type Logger } from '@fanfare/runtime';
import type { Kafka } from 'kafkajs';
import type { Db, MongoClient } from 'mongodb';
import { startConsumer, type Consumer } from './consumer.ts';
import { checkKafka, createKafka, deadLetterTopicName, ensureTopics, lateAfterMsOf, topicName, type KafkaSettings } from './kafka/kafka.ts';
import type { FindErased, Subscription } from './subscription.ts';
import { watchKafka } from './watch/watch-kafka.ts';

/** Receives events, independently of the process's other work. */
export interface Listener {
  /** Why no events are received now; undefined while they are. */
  problem(): string | undefined;
  /** Why events are late; undefined while they are in time, even if none are received at the moment. */
  lateness(): string | undefined;
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Keeps a consumer running in the background. It starts without Kafka, and replaces a consumer that crashes for whatever reason: the process keeps
 * serving while Kafka is unavailable. Events of that time are received afterwards.
 */
export function startListener(options: {
  group: string;
  subscriptions: readonly Subscription[];
  /** Events of erased businesses and organizations have no effect. */
  findErased: FindErased;
  mongo: { client: MongoClient; db: Db };
  settings: KafkaSettings;
  log: Logger;
  /** The time after the newest event, in milliseconds, in which others gather; see `startConsumer`. Default: none. */
  gatherMs?: number;
  /** Whether test clocks wait until this service has seen an event; see `clockedEvents`. Default: no. */
  followsClocks?: boolean;
  afterCommit: () => void;
}): Listener {
  const { group, subscriptions, settings, log } = options;
  let kafka: Kafka | undefined;
  let consumer: Consumer | undefined;
  let hasCrashed = false;
  let failures = 0;
  const watch = watchKafka({
    createAdmin: () => createKafka(settings, log, 0).admin(),
    log,
    lateAfterMs: lateAfterMsOf(settings),
    listening: { groupId: settings.topicPrefix + group, topics: subscriptions.map(({ topic }) => topicName(settings, topic.name)) },
  });
  const problem = () => (consumer ? (consumer.problem() ?? watch.problem()) : 'is not connected to Kafka');
  readGauge('fanfare_kafka_consumer_connected', '1 while the consumer is connected to Kafka and receives events, otherwise 0.', async () =>
    problem() === undefined ? 1 : 0,
  );

  const loop = startLoop({
    name: 'event-listener',
    log,
    async run() {
      if (hasCrashed) await stopConsumer();
      if (consumer) return LOOK_MS;
      try {
        consumer = await start();
        failures = 0;
        return LOOK_MS;
      } catch (error) {
        const retryInMs = backoffMs(failures++, FIRST_DELAY_MS, MAX_DELAY_MS);
        log.warn({ err: error, group, retry_in_ms: retryInMs }, 'events are not received: Kafka is unreachable');
        return retryInMs;
      }
    },
  });

  async function start(): Promise<Consumer> {
    kafka ??= createKafka(settings, log);
    await checkKafka(settings, log);
    const names = [...subscriptions.map(({ topic }) => topicName(settings, topic.name)), deadLetterTopicName(settings, group)];
    await ensureTopics(kafka, names, settings.partitions);
    hasCrashed = false;
    return startConsumer({
      ...options,
      kafka,
      onCrash() {
        hasCrashed = true;
        loop.wake();
      },
    });
  }

  async function stopConsumer(): Promise<void> {
    const former = consumer;
    consumer = undefined;
    await former?.stop();
  }

  return {
    problem,
    lateness: watch.problem,
    async stop() {
      await Promise.all([loop.stop(), watch.stop()]);
      await stopConsumer();
    },
  };
}
