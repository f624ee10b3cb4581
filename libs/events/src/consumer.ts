import type { Logger } from '@fanfare/runtime';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { Db, MongoClient } from 'mongodb';
import { createDeadLetters } from './dead-letters.ts';
import { createEventHandler, MOST_PARTITIONS_TOGETHER } from './event-handler.ts';
import { topicName, type KafkaSettings } from './kafka.ts';
import { messagesTogether } from './messages-together.ts';
import { offsetCommits } from './offset-commits.ts';
import type { Subscription } from './subscription.ts';

export interface Consumer {
  /** Why it does not consume reliably now; undefined while it does. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** An event that has been retried for this long makes the service unready: an operator has to look. */
const STUCK_AFTER_MS = 30_000;

/** Ends the wait for more events. */
const PORTION_BYTES = 128 << 10;

export async function startConsumer(options: {
  group: string;
  subscriptions: readonly Subscription[];
  mongo: { client: MongoClient; db: Db };
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
  /** How long, in milliseconds, an event may wait for others, so that they are read and handled in larger batches. Default: it does not wait. */
  patienceMs?: number;
  /** Called after each transaction of events has committed: wake the loops that work on its rows. */
  afterCommit: () => void;
  /** Called when it has stopped and will not continue by itself. */
  onCrash: () => void;
}): Promise<Consumer> {
  const { group, kafka, settings, log, onCrash } = options;
  const groupId = settings.topicPrefix + group;
  const deadLetters = createDeadLetters(options);
  const events = createEventHandler({ ...options, deadLetters });
  const byName = new Map(options.subscriptions.map((subscription) => [topicName(settings, subscription.topic.name), subscription]));

  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: settings.sessionTimeoutMs,
    rebalanceTimeout: 60_000,
    heartbeatInterval: settings.sessionTimeoutMs / 5,
    maxBytesPerPartition: 256 << 10,
    ...(options.patienceMs === undefined ? { maxWaitTimeInMs: 2_000 } : { maxWaitTimeInMs: options.patienceMs, minBytes: PORTION_BYTES }),
    allowAutoTopicCreation: false,
  });

  let joined = false;
  let lastHeartbeat = 0;
  consumer.on('consumer.group_join', () => ((joined = true), (lastHeartbeat = performance.now())));
  consumer.on('consumer.heartbeat', () => (lastHeartbeat = performance.now()));
  consumer.on('consumer.crash', ({ payload }) => {
    log.error({ err: payload.error, group: groupId, restart: payload.restart }, 'consumer crashed');
    // It would keep running and do nothing.
    if (!payload.restart) onCrash();
  });

  const commits = offsetCommits(log);
  const stop = async () => {
    await commits.now();
    await consumer.disconnect();
    commits.forget();
    await deadLetters.disconnect();
  };
  try {
    await deadLetters.connect();
    await consumer.connect();
    await consumer.subscribe({ topics: [...byName.keys()], fromBeginning: true });
    await consumer.run({
      partitionsConsumedConcurrently: MOST_PARTITIONS_TOGETHER,
      eachBatchAutoResolve: false,
      // By default kafkajs commits after each batch, and under load a batch is an event or two.
      autoCommit: false,
      eachBatch,
    });
  } catch (error) {
    await stop();
    throw error;
  }

  async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale, ...offsets }: EachBatchPayload) {
    const subscription = byName.get(batch.topic);
    if (!subscription) return;
    const beat = setInterval(() => void heartbeat().catch(() => undefined), settings.sessionTimeoutMs / 5);
    try {
      const goOn = () => isRunning() && !isStale();
      for (const messages of messagesTogether(batch.messages)) {
        if (!(await events.handleTogether(subscription, messages, goOn))) {
          for (const message of messages) {
            if (!(await events.handleUntilDone(subscription, message, goOn))) return;
            resolveOffset(message.offset);
            commits.soon(offsets);
          }
        }
        for (const { offset } of messages.slice(-1)) resolveOffset(offset);
        commits.soon(offsets);
        await heartbeat();
      }
    } finally {
      clearInterval(beat);
      if (!isRunning()) await commits.now();
    }
  }

  return {
    problem() {
      if (!joined) return 'has not joined its consumer group yet';
      const silentMs = performance.now() - lastHeartbeat;
      if (silentMs > settings.sessionTimeoutMs) return `no heartbeat to Kafka for ${Math.round(silentMs / 1000)} s`;
      const oldest = events.oldest();
      return oldest && oldest.forMs > STUCK_AFTER_MS
        ? `has been failing to handle an event of ${oldest.topic} for ${Math.round(oldest.forMs / 1000)} s`
        : undefined;
    },
    stop,
  };
}
