import type { KafkaMessage } from 'kafkajs';

const MOST_MESSAGES = 50;
/** Maximum size of a batch: all of it is in memory several times. */
const MOST_BYTES = 512 << 10;

/** Divides the messages read from a partition into batches that are handled together, in order. */
export function messagesTogether(messages: readonly KafkaMessage[]): KafkaMessage[][] {
  const groups: KafkaMessage[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = message.value?.length ?? 0;
    const group = groups.at(-1);
    if (group && group.length < MOST_MESSAGES && bytes + size <= MOST_BYTES) {
      group.push(message);
      bytes += size;
    } else {
      groups.push([message]);
      bytes = size;
    }
  }
  return groups;
}
