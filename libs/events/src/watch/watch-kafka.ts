import { readGauge, startLoop, type Logger } from '@fanfare/runtime';
import type { Admin } from 'kafkajs';
import { createLagTracker, type Lag, type PartitionState } from './lag.ts';

/** Watches, from outside of producer and consumer, that Kafka responds and that the events of a consumer group are handled. */
export interface KafkaWatch {
  /** Why events are late; undefined while they are in time. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** Health has to show what is wrong within 15 s: this much, and the time after which it counts as wrong. */
const LOOK_MS = 5_000;
/** After this time without a response Kafka is unavailable, and a group that has handled no waiting event makes no progress. */
const STILL_AFTER_MS = 10_000;

/**
 * Reads offsets with a connection of its own. A consumer that sends heartbeats and handles nothing, or believes that it has no partitions, cannot
 * report that itself. So each replica watches all partitions of its group, also those of other replicas.
 * @param options.createAdmin without retries: each measurement is one
 * @param options.listening the consumer group and its topics, by their names in Kafka; none for a process that only sends
 */
export function watchKafka(options: {
  createAdmin: () => Admin;
  log: Logger;
  lateAfterMs: number;
  listening?: { readonly groupId: string; readonly topics: readonly string[] };
}): KafkaWatch {
  const { createAdmin, log, lateAfterMs, listening } = options;
  const stillAfterMs = Math.min(STILL_AFTER_MS, lateAfterMs);
  const tracker = createLagTracker();
  let admin: Admin | undefined;
  let lags: readonly Lag[] = [];
  let respondedAt = performance.now();
  const silentMs = () => performance.now() - respondedAt;
  if (listening) {
    readGauge(
      'fanfare_events_oldest_unhandled_seconds',
      'Time since the oldest event that is not handled was sent; 0 if there is none.',
      async () => {
        if (silentMs() > STILL_AFTER_MS) throw new Error('It is unknown.');
        return Math.max(0, ...lags.map(({ ageMs }) => ageMs)) / 1_000;
      },
    );
  }

  const loop = startLoop({
    name: 'kafka-watch',
    log,
    async run() {
      try {
        const states = await read();
        lags = tracker.measure(states, performance.now());
        respondedAt = performance.now();
      } catch (error) {
        // The next run connects again.
        await disconnect();
        log.info({ err: error }, 'could not read from Kafka how far events are');
      }
      return LOOK_MS;
    },
  });

  async function read(): Promise<PartitionState[]> {
    if (!admin) {
      const fresh = createAdmin();
      await fresh.connect();
      admin = fresh;
    }
    if (!listening) {
      await admin.describeCluster();
      return [];
    }
    const connected = admin;
    const { groupId, topics } = listening;
    // First, because it is also what makes kafkajs know the brokers.
    const sent = await Promise.all(topics.map(async (topic) => ({ topic, partitions: await connected.fetchTopicOffsets(topic) })));
    const handled = await connected.fetchOffsets({ groupId, topics: [...topics] });
    const committed = new Map(
      handled.flatMap(({ topic, partitions }) => partitions.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)])),
    );
    return sent.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, high, low }) => ({
        ...{ topic, partition, high: Number(high), low: Number(low) },
        committed: committed.get(`${topic}/${partition}`) ?? -1,
      })),
    );
  }

  async function disconnect(): Promise<void> {
    const former = admin;
    admin = undefined;
    await former?.disconnect().catch(() => undefined);
  }

  return {
    problem() {
      if (silentMs() > STILL_AFTER_MS) return `Kafka has not responded for ${seconds(silentMs())}`;
      const still = lags.find(({ stillMs }) => stillMs > stillAfterMs);
      if (still) return `events of ${still.topic} wait, and none was handled for ${seconds(still.stillMs)}`;
      const late = lags.find(({ ageMs }) => ageMs > lateAfterMs);
      return late && `the oldest event of ${late.topic} has been waiting for ${seconds(late.ageMs)}`;
    },
    async stop() {
      await loop.stop();
      await disconnect();
    },
  };
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
