import { setTimeout as pause } from 'node:timers/promises';
import { currentMs, newId, type Logger } from '@fanfare/runtime';
import { Partitioners, type Admin } from 'kafkajs';
import { createKafka, topicName, type KafkaSettings } from '../kafka/kafka.ts';
import { readDeadLetters, type DeadLetter } from './read-dead-letters.ts';
import { REPLAY_ID, replayHeaders } from './replayed-messages.ts';

/**
 * - `handled`: the consumer has handled it, now or before.
 * - `failed_again`: it is a dead letter again.
 * - `sent`: it is in its topic, and the consumer has not come to it yet.
 */
export type ReplayResult = 'handled' | 'failed_again' | 'sent';

const LOOK_MS = 250;

/**
 * Sends dead letters back to their topics, for the consumer group that gave them up and no other: it handles them like every event, once.
 * @param letters with their values
 * @param waitMs how long to wait for the consumer
 * @returns the result of each, by its id
 */
export async function replayDeadLetters(
  settings: KafkaSettings,
  log: Logger,
  letters: readonly DeadLetter[],
  waitMs = 10_000,
): Promise<Map<string, ReplayResult>> {
  const kafka = createKafka(settings, log, 2);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  const admin = kafka.admin();
  await Promise.all([producer.connect(), admin.connect()]);
  try {
    const sent = [];
    for (const letter of letters) {
      const { topic, group, key, value = Buffer.alloc(0) } = letter;
      const replayId = newId();
      const headers = replayHeaders(letter.headers, group, replayId);
      const [record] = await producer.send({
        topic: topicName(settings, topic),
        acks: -1,
        messages: [{ key, value, headers, timestamp: String(currentMs()) }],
      });
      sent.push({ letter, replayId, partition: record?.partition ?? 0, offset: BigInt(record?.baseOffset ?? 0) });
    }
    const end = performance.now() + waitMs;
    const results = new Map<string, ReplayResult>();
    for (const { letter, partition, offset } of sent) {
      const isHandled = await untilCommitted(admin, settings, letter, partition, offset, end);
      results.set(letter.id, isHandled ? 'handled' : 'sent');
    }
    const failed = new Set((await readDeadLetters(settings, log)).map(({ headers }) => headers[REPLAY_ID]));
    for (const { letter, replayId } of sent) if (failed.has(replayId)) results.set(letter.id, 'failed_again');
    return results;
  } finally {
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  }
}

/** Whether the group has gone past the record. */
async function untilCommitted(
  admin: Admin,
  settings: KafkaSettings,
  { group, topic }: DeadLetter,
  partition: number,
  offset: bigint,
  end: number,
): Promise<boolean> {
  for (;;) {
    const groupId = settings.topicPrefix + group;
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topicName(settings, topic)] });
    const at = committed?.partitions.find((each) => each.partition === partition)?.offset ?? '-1';
    if (BigInt(at) > offset) return true;
    if (performance.now() > end) return false;
    await pause(LOOK_MS);
  }
}
