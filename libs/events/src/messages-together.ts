import type { KafkaMessage } from 'kafkajs';

const MOST_MESSAGES = 50;
/** Of what is handled together all is in memory several times. */
const MOST_BYTES = 512 << 10;

/** Cuts what was read of a partition into what is handled together, in its order. */
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
