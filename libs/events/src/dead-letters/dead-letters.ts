import { counter, currentMs, currentTime, type Logger } from '@fanfare/runtime';
import { Partitioners, type Kafka, type KafkaMessage } from 'kafkajs';
import { deadLetterTopicName, type KafkaSettings } from '../kafka/kafka.ts';

/** Receives records that cannot be handled. */
export interface DeadLetters {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Adds the record unchanged, with its original topic and the error. */
  add(message: KafkaMessage, topic: string, error: unknown): Promise<void>;
}

/** @param options.topics the names of those that the group reads */
export function createDeadLetters(options: {
  group: string;
  topics: Iterable<string>;
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
}): DeadLetters {
  const { group, topics, kafka, settings, log } = options;
  const added = counter('fanfare_dead_letters_total', 'Events sent to the dead letter topic: operators have to handle each.', ['topic']);
  // Reported before the first one, so that the alert sees the counter grow.
  for (const topic of topics) added.inc({ topic }, 0);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });

  return {
    connect: () => producer.connect(),
    disconnect: () => producer.disconnect(),
    async add(message, topic, error) {
      const headers = textHeaders(message);
      log.error(
        { err: error, topic, event_id: headers['ce_id'], subject: headers['ce_subject'] },
        'the event cannot be handled; it is sent to the dead letter topic',
      );
      const about = {
        'fanfare-topic': topic,
        'fanfare-error': String(error).slice(0, 1_000),
        'fanfare-failed-at': currentTime().toISOString(),
      };
      const { key, value } = message;
      await producer.send({
        topic: deadLetterTopicName(settings, group),
        acks: -1,
        messages: [{ key, value, headers: { ...headers, ...about }, timestamp: String(currentMs()) }],
      });
      added.inc({ topic });
    },
  };
}

export function textHeaders(message: KafkaMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, value?.toString() ?? '']));
}
