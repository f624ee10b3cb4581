import type { DeadLetter as DeadLetterMessage, DeadLetterFilter } from '@fanfare/contracts/gateway';
import { readDeadLetters, type DeadLetter } from '@fanfare/events';
import type { Context } from '../context.ts';
import { findReplays, type DeadLetterReplayDocument } from './store/dead-letter-replays.ts';

/** A dead letter, and its last replay. */
export interface FoundDeadLetter {
  readonly letter: DeadLetter;
  readonly replay: DeadLetterReplayDocument | undefined;
}

/** The selected dead letters, without values, newest first. They are few, and Kafka has no index: each call reads all of them. */
export async function findDeadLetters(context: Context, filter: DeadLetterFilter | undefined): Promise<FoundDeadLetter[]> {
  const letters = await readDeadLetters(context.config.kafka, context.log);
  const replays = await findReplays(
    context.db,
    letters.map(({ id }) => id),
  );
  return letters
    .map((letter) => ({ letter, replay: replays.get(letter.id) }))
    .filter((found) => isSelected(found, filter))
    .toSorted((a, b) => b.letter.failedAt.getTime() - a.letter.failedAt.getTime() || (a.letter.id < b.letter.id ? 1 : -1));
}

function isSelected({ letter, replay }: FoundDeadLetter, filter: DeadLetterFilter | undefined): boolean {
  const { service, type, organizationId, replayed } = filter ?? {};
  const itsType = letter.headers['ce_type'] ?? '';
  return (
    (service === undefined || letter.group === service) &&
    (type === undefined || itsType === type || itsType.endsWith(`.${type}`)) &&
    (organizationId === undefined || letter.headers['ce_organizationid'] === organizationId) &&
    (replayed === undefined || (replay !== undefined) === replayed)
  );
}

export function toDeadLetter({ letter, replay }: FoundDeadLetter): DeadLetterMessage {
  const { id, group: service, topic, headers, failedAt, error, size: sizeBytes } = letter;
  const header = (name: string) => headers[name] ?? '';
  return {
    ...{ id, service, topic, failedAt, error, sizeBytes },
    eventId: header('ce_id'),
    type: header('ce_type'),
    subject: header('ce_subject'),
    organizationId: header('ce_organizationid'),
    businessId: header('ce_businessid'),
    time: header('ce_time'),
    replayedAt: replay?.replayed_at,
    replayResult: replay?.result,
  };
}
