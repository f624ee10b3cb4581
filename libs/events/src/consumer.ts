import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@fanfare/runtime';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { Db, MongoClient } from 'mongodb';
import { createDeadLetters } from './dead-letters/dead-letters.ts';
import { createEventHandler, MOST_PARTITIONS_TOGETHER } from './event-handler.ts';
import { topicName, type KafkaSettings } from './kafka/kafka.ts';
import { messagesTogether } from './messages-together.ts';
import { offsetCommits } from './offset-commits.ts';
import { isByClock } from './cloud-event.ts';
import { isFor } from './dead-letters/replayed-messages.ts';
import type { FindErased, Subscription } from './subscription.ts';

export interface Consumer {
  /** Why it does not consume reliably now; undefined while it does. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** An event that has been retried for this long is reported: an operator has to look. */
const STUCK_AFTER_MS = 10_000;

/** How long the broker waits for an event before it responds that there is none. */
const FETCH_MS = 2_000;

export async function startConsumer(options: {
  group: string;
  subscriptions: readonly Subscription[];
  findErased: FindErased;
  mongo: { client: MongoClient; db: Db };
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
  /**
   * The time after the newest event, in milliseconds: events of this time are then read and handled together. One that comes alone does not wait.
   * Default: none.
   */
  gatherMs?: number;
  /** Whether test clocks wait until this service has seen an event; see `clockedEvents`. Default: no. */
  followsClocks?: boolean;
  /** Called after each transaction of events has committed: wake the loops that work on its rows. */
  afterCommit: () => void;
  /** Called when it has stopped and will not continue by itself. */
  onCrash: () => void;
}): Promise<Consumer> {
  const { group, kafka, settings, log, onCrash, gatherMs = 0 } = options;
  const groupId = settings.topicPrefix + group;
  const byName = new Map(options.subscriptions.map((subscription) => [topicName(settings, subscription.topic.name), subscription]));
  const deadLetters = createDeadLetters({ ...options, topics: byName.keys() });
  const events = createEventHandler({ ...options, deadLetters });

  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: settings.sessionTimeoutMs,
    rebalanceTimeout: 60_000,
    heartbeatInterval: settings.sessionTimeoutMs / 5,
    maxBytesPerPartition: 256 << 10,
    // Heartbeats are sent between fetches.
    maxWaitTimeInMs: Math.min(FETCH_MS, settings.sessionTimeoutMs / 6),
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
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
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
        const ours = messages.filter((message) => isFor(group, message));
        if (ours.length > 0 && !(await events.handleTogether(subscription, ours, goOn))) {
          for (const message of ours) {
            if (!(await events.handleUntilDone(subscription, message, goOn))) return;
            resolveOffset(message.offset);
            commits.soon(offsets);
          }
        }
        for (const { offset } of messages.slice(-1)) resolveOffset(offset);
        commits.soon(offsets);
        await heartbeat();
      }
      // kafkajs fetches again when all batches of a fetch are handled. Nobody but its own organization waits for a test clock to move on.
      if (batch.offsetLag() === '0' && !batch.messages.some(isByClock)) await pause(gatherMs, stopping.signal);
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

/** Ends early when the signal is aborted. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};
