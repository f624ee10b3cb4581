import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@fanfare/contracts';
import { counter, currentMs, type Logger, type Loop, newId, readGauge, startLoop } from '@fanfare/runtime';
import { CompressionTypes, Partitioners, type Kafka, type ProducerBatch } from 'kafkajs';
import type { Db } from 'mongodb';
import { checkKafka, ensureTopics, topicName, type KafkaSettings } from './kafka.ts';
import {
  claimOutboxRows,
  countOutboxRows,
  deleteOutboxRows,
  findOutboxRows,
  releaseOutboxRows,
  setRelay,
  unsetRelay,
  type OutboxRow,
} from './store/outbox-rows.ts';

/** Longer than Kafka may take to acknowledge; a relay that died gives its rows up after this. */
const LEASE_MS = 10_000;
const MAX_ROWS = 200;
/** Below what one message to Kafka may take (kafka.ts), because all rows of a partition travel as one; and what a relay holds in memory. */
const MAX_BYTES = 3 << 20;
/**
 * Under load a round waits for what is committed meanwhile, so that its cost in MongoDB, in Kafka and at every consumer is shared by many events:
 * the more there were in the round before, the longer. After a quiet moment an event goes at once.
 */
const PACE_MS_A_ROW = 10;
const MAX_PACE_MS = 50;
/** Of a few small events all that compress and decompress them, the broker included, spend more than they spare. */
const COMPRESSED_FROM_BYTES = 64 << 10;
/** Every replica looks this often for rows that are nobody's, or a dead one's. For its own it is woken. */
const LOOK_MS = 1_000;

export type Relay = Loop;

/**
 * Moves committed events from the outbox to Kafka. A row is deleted only after every in-sync replica has it, so a crash in between sends it
 * again: consumers know it by its id. Wake it after each commit. It starts without Kafka, and the rows wait.
 */
export function startRelay(options: { db: Db; kafka: Kafka; settings: KafkaSettings; log: Logger }): Relay {
  const { db, kafka, settings, log } = options;
  const by = newId();
  const relayed = counter('fanfare_outbox_relayed_total', 'Events moved from the outbox to Kafka.', ['topic']);
  readGauge('fanfare_outbox_waiting', 'Events in the outbox that Kafka has not acknowledged.', () => countOutboxRows(db));
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  let isConnected = false;

  let nextRound = 0;
  let nextLook = 0;
  const untilNextLook = () => Math.max(0, nextLook - performance.now());
  const loop = startLoop({
    name: 'outbox-relay',
    log,
    async run() {
      if (!isConnected) {
        await createTopics();
        await producer.connect();
        isConnected = true;
        setRelay(db, by);
      }
      const early = nextRound - performance.now();
      if (early > 0) await pause(early);
      const began = performance.now();
      if (began >= nextLook) {
        const isNoneLeft = await claimOutboxRows(db, { by, leaseMs: LEASE_MS, maxRows: MAX_ROWS });
        nextLook = isNoneLeft ? began + LOOK_MS : 0;
      }
      const { found, isAll } = await findOutboxRows(db, { by, maxRows: MAX_ROWS, maxBytes: MAX_BYTES });
      if (found.length === 0) return untilNextLook();
      try {
        await producer.sendBatch(toBatch(found, settings));
      } catch (error) {
        await releaseOutboxRows(db, by);
        throw error;
      }
      await deleteOutboxRows(
        db,
        found.map(({ _id }) => _id),
      );
      for (const { topic } of found) relayed.inc({ topic });
      if (!isAll) return 0;
      nextRound = began + Math.min(MAX_PACE_MS, found.length * PACE_MS_A_ROW);
      // For what is committed from here on it is woken.
      return untilNextLook();
    },
  });
  async function createTopics(): Promise<void> {
    await checkKafka(settings, log);
    const names = Object.values(topics).map(({ name }) => topicName(settings, name));
    await ensureTopics(kafka, names, settings.partitions);
  }

  return {
    ...loop,
    async stop() {
      unsetRelay(db);
      await loop.stop();
      await releaseOutboxRows(db, by).catch((error: unknown) =>
        log.info({ err: error }, 'could not release outbox rows; another process sends them when their lease expires'),
      );
      await producer.disconnect();
    },
  };
}

function toBatch(rows: readonly OutboxRow[], settings: KafkaSettings): ProducerBatch {
  const inOrder = rows.toSorted((a, b) => (a._id < b._id ? -1 : 1));
  const byTopic = Map.groupBy(inOrder, ({ topic }) => topic);
  const bytes = rows.reduce((sum, { value }) => sum + value.length(), 0);
  // Left to kafkajs it is this machine's time, and a broker refuses what claims to come from an hour ahead (message.timestamp.after.max.ms).
  const timestamp = String(currentMs());
  return {
    acks: -1,
    timeout: 5_000,
    compression: bytes > COMPRESSED_FROM_BYTES ? CompressionTypes.GZIP : CompressionTypes.None,
    topicMessages: [...byTopic].map(([topic, inTopic]) => ({
      topic: topicName(settings, topic),
      messages: inTopic.map(({ key, value, headers }) => ({ key, value: Buffer.from(value.buffer), headers, timestamp })),
    })),
  };
}
