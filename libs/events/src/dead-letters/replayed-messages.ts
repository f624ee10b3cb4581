import type { KafkaMessage } from 'kafkajs';

/** Only this consumer group handles the message: another one has had the event before. */
const REPLAY_FOR = 'fanfare-replay-for';
/** Identifies the replay: its dead letter, if the event fails again, has the same header. */
export const REPLAY_ID = 'fanfare-replay';

/** Headers that are about the dead letter and not about the event. */
const ABOUT_DEAD_LETTER = ['fanfare-topic', 'fanfare-error', 'fanfare-failed-at', REPLAY_FOR, REPLAY_ID];

/** The headers of an event that is sent to its topic again, for one consumer group. */
export function replayHeaders(headers: Readonly<Record<string, string>>, group: string, replayId: string): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !ABOUT_DEAD_LETTER.includes(name));
  return { ...Object.fromEntries(own), [REPLAY_FOR]: group, [REPLAY_ID]: replayId };
}

/** Whether this consumer group handles the message. */
export function isFor(group: string, { headers }: Pick<KafkaMessage, 'headers'>): boolean {
  const replayFor = headers?.[REPLAY_FOR]?.toString();
  return replayFor === undefined || replayFor === group;
}
