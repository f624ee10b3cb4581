import { topics, type Topic } from '@fanfare/contracts';
import { notFound } from '@fanfare/errors';
import { readDeadLetters, type DeadLetter } from '@fanfare/events';
import { toDeadLetter } from './find-dead-letters.ts';
import type { Rpc } from './rpc.ts';
import { findReplays } from './store/dead-letter-replays.ts';
import { withoutSecrets } from './without-secrets.ts';

export const getDeadLetter: Rpc<'getDeadLetter'> =
  ({ config, db, log }) =>
  async ({ id }) => {
    const letters = await readDeadLetters(config.kafka, log, (each) => each.id === id);
    const letter = letters.find((each) => each.id === id);
    if (!letter) throw notFound('dead letter');
    const replays = await findReplays(db, [id]);
    return { deadLetter: toDeadLetter({ letter, replay: replays.get(id) }), ...decoded(letter) };
  };

function decoded({ topic: name, value = Buffer.alloc(0) }: DeadLetter): { dataJson?: string; decodeError?: string } {
  const topic = (Object.values(topics) as Topic<unknown>[]).find((each) => each.name === name);
  if (!topic) return { decodeError: `There is no topic ${name}.` };
  try {
    return { dataJson: withoutSecrets(topic.codec.decode(value)) };
  } catch (error) {
    return { decodeError: String(error) };
  }
}
