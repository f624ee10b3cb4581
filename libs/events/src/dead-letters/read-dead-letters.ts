import { newId, type Logger } from '@fanfare/runtime';
import type { Admin, EachBatchPayload, Kafka } from 'kafkajs';
import { textHeaders } from './dead-letters.ts';
import { createKafka, deadLetterTopicName, type KafkaSettings } from '../kafka/kafka.ts';

/** An event that a consumer group gave up, with why. */
export interface DeadLetter {
  /** `{group}:{partition}:{offset}` */
  readonly id: string;
  readonly group: string;
  /** The topic that it came from, without the prefix of this deployment. */
  readonly topic: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly failedAt: Date;
  readonly error: string;
  readonly size: number;
  /** The encoded event, if it was selected. */
  readonly value?: Buffer;
}

const LIMIT_MS = 25_000;

/**
 * Reads the dead letters of all consumer groups that Kafka still has.
 * @param keepsValue selects those whose value is needed: values are large
 * @throws Error if Kafka does not return all of them in time
 */
export async function readDeadLetters(
  settings: KafkaSettings,
  log: Logger,
  keepsValue: (letter: DeadLetter) => boolean = () => false,
): Promise<DeadLetter[]> {
  const kafka = createKafka(settings, log, 2);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await endsOf(admin, deadLetterTopicName(settings, ''));
    return ends.size === 0 ? [] : await readUntil(kafka, admin, settings, ends, keepsValue);
  } finally {
    await admin.disconnect();
  }
}

/** The offset of the last letter of each partition that has any, by `{topic}:{partition}`. */
async function endsOf(admin: Admin, prefix: string): Promise<Map<string, bigint>> {
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
  const offsets = await Promise.all(
    topics.map(async (topic) => (await admin.fetchTopicOffsets(topic)).map((partition) => ({ topic, ...partition }))),
  );
  const filled = offsets.flat().filter(({ low, high }) => BigInt(high) > BigInt(low));
  return new Map(filled.map(({ topic, partition, high }) => [`${topic}:${partition}`, BigInt(high) - 1n]));
}

/** With a group of its own, because kafkajs reads only as a member of one. */
async function readUntil(
  kafka: Kafka,
  admin: Admin,
  settings: KafkaSettings,
  ends: ReadonlyMap<string, bigint>,
  keepsValue: (letter: DeadLetter) => boolean,
): Promise<DeadLetter[]> {
  const groupId = `${settings.topicPrefix}dead-letter-reader.${newId()}`;
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 500 });
  const letters: DeadLetter[] = [];
  const open = new Set(ends.keys());
  const all = Promise.withResolvers<void>();
  consumer.on('consumer.crash', ({ payload }) => all.reject(payload.error));
  const limit = setTimeout(() => all.reject(new Error(`Kafka did not return all dead letters within ${LIMIT_MS / 1000} s.`)), LIMIT_MS);
  const eachBatch = async ({ batch }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch;
    const end = ends.get(`${topic}:${partition}`) ?? -1n;
    for (const message of batch.messages) {
      if (BigInt(message.offset) > end) continue;
      const group = topic.slice(deadLetterTopicName(settings, '').length);
      const headers = textHeaders(message);
      const letter = {
        id: `${group}:${partition}:${message.offset}`,
        group,
        topic: headers['fanfare-topic'] ?? '',
        key: message.key?.toString() ?? '',
        headers,
        failedAt: new Date(headers['fanfare-failed-at'] ?? Number(message.timestamp)),
        error: headers['fanfare-error'] ?? '',
        size: message.value?.length ?? 0,
      };
      letters.push(keepsValue(letter) ? { ...letter, value: message.value ?? Buffer.alloc(0) } : letter);
    }
    if (BigInt(batch.lastOffset()) >= end) open.delete(`${topic}:${partition}`);
    if (open.size === 0) all.resolve();
  };
  try {
    await consumer.connect();
    await consumer.subscribe({
      topics: [...new Set([...ends.keys()].map((name) => name.slice(0, name.lastIndexOf(':'))))],
      fromBeginning: true,
    });
    await consumer.run({ autoCommit: false, eachBatch });
    await all.promise;
  } finally {
    clearTimeout(limit);
    await consumer.disconnect();
    // Kafka deletes it by itself after some days.
    await admin.deleteGroups([groupId]).catch(() => undefined);
  }
  return letters;
}
