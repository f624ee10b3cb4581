import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@fanfare/contracts';
import { counter, currentMs, type Logger, type Loop, newId, readGauge, startLoop, watchAge } from '@fanfare/runtime';
import { CompressionTypes, Partitioners, type Kafka, type ProducerBatch } from 'kafkajs';
import type { Db } from 'mongodb';
import { checkKafka, ensureTopics, lateAfterMsOf, topicName, type KafkaSettings } from './kafka/kafka.ts';
import {
  claimOutboxRows,
  countOutboxRows,
  deleteOutboxRows,
  findOutboxRows,
  outboxAgeMs,
  releaseOutboxRows,
  setRelay,
  unsetRelay,
  type OutboxRow,
} from './store/outbox-rows.ts';

/** Longer than Kafka may take to acknowledge. After this time the rows of a dead relay are leased again. */
const LEASE_MS = 10_000;
const MAX_ROWS = 200;
/** Less than the maximum size of a Kafka message (kafka.ts), because all rows of a partition are sent as one; also limits a relay's memory. */
const MAX_BYTES = 3 << 20;
/**
 * Under load a round waits for events that are committed meanwhile, so that many events share its cost in MongoDB, in Kafka and at every consumer:
 * the more events the previous round had, the longer. After a quiet moment an event is sent at once.
 */
const PACE_MS_A_ROW = 10;
const MAX_PACE_MS = 50;
/** For a few small events, compressing and decompressing (also in the broker) costs more CPU than it saves. */
const COMPRESSED_FROM_BYTES = 64 << 10;
/**
 * How often each replica looks for rows without a relay, of a dead one, and for its own whose lease is nearly over. For its other rows it is woken. A round
 * after one that took longer than a lease always looks, so that older rows are not sent after newer ones.
 */
const LOOK_MS = 1_000;

export type Relay = Loop;

/**
 * Moves committed events from the outbox to Kafka. A row is deleted only after every in-sync replica has it, so a crash in between sends it again:
 * consumers recognize it by its id. Wake it after each commit. It starts without Kafka, and the rows wait.
 */
export function startRelay(options: { db: Db; kafka: Kafka; settings: KafkaSettings; log: Logger }): Relay {
  const { db, kafka, settings, log } = options;
  const by = newId();
  const relayed = counter('fanfare_outbox_relayed_total', 'Events moved from the outbox to Kafka.', ['topic']);
  readGauge('fanfare_outbox_waiting', 'Events in the outbox that Kafka has not acknowledged.', () => countOutboxRows(db));
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  let isConnected = false;
  // Before it is connected: a row without a relay, committed just after a look, would be sent after later ones.
  setRelay(db, by);

  let nextRound = 0;
  let nextLook = 0;
  /** How often this relay was given rows, and how often up to when it last had none left: while nothing happens, it only looks for rows of others. */
  const given = { times: 1, sent: 0 };
  const untilNextLook = () => Math.max(0, nextLook - performance.now());
  const loop = startLoop({
    name: 'outbox-relay',
    log,
    async run() {
      if (!isConnected) {
        await createTopics();
        await producer.connect();
        isConnected = true;
      }
      const early = nextRound - performance.now();
      if (early > 0) await pause(early);
      const began = performance.now();
      if (began >= nextLook) {
        const claimed = await claimOutboxRows(db, { by, leaseMs: LEASE_MS, maxRows: MAX_ROWS });
        nextLook = claimed < MAX_ROWS ? began + LOOK_MS : 0;
        if (claimed > 0) given.times++;
      }
      const { times } = given;
      if (given.sent === times) return untilNextLook();
      const { found, isAll } = await findOutboxRows(db, { by, maxRows: MAX_ROWS, maxBytes: MAX_BYTES });
      if (found.length === 0) {
        given.sent = times;
        return untilNextLook();
      }
      try {
        await producer.sendBatch(toBatch(found, settings));
      } catch (error) {
        await releaseOutboxRows(db, by);
        // Its rows before those that are written meanwhile, unless another relay has sent them.
        nextLook = 0;
        throw error;
      }
      await deleteOutboxRows(
        db,
        found.map(({ _id }) => _id),
      );
      for (const { topic } of found) relayed.inc({ topic });
      if (!isAll) return 0;
      given.sent = times;
      nextRound = began + Math.min(MAX_PACE_MS, found.length * PACE_MS_A_ROW);
      // It is woken for events that are committed later.
      return untilNextLook();
    },
  });
  const age = watchAge({
    name: 'outbox-age',
    metric: {
      name: 'fanfare_outbox_oldest_seconds',
      help: 'Time since the oldest event in the outbox was written; 0 if there is none.',
    },
    log,
    lateAfterMs: lateAfterMsOf(settings),
    async measure() {
      const ageMs = await outboxAgeMs(db);
      return ageMs === undefined ? undefined : { what: 'the oldest event in the outbox has been waiting', ageMs };
    },
  });

  async function createTopics(): Promise<void> {
    await checkKafka(settings, log);
    const names = Object.values(topics).map(({ name }) => topicName(settings, name));
    await ensureTopics(kafka, names, settings.partitions);
  }

  return {
    wake() {
      given.times++;
      loop.wake();
    },
    problem: () => loop.problem() ?? age.problem(),
    async stop() {
      unsetRelay(db);
      await Promise.all([loop.stop(), age.stop()]);
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
  // By default kafkajs uses this machine's time, and a broker rejects messages that are an hour ahead (message.timestamp.after.max.ms).
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
