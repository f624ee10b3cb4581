import { DomainError, notFound } from '@fanfare/errors';
import { readDeadLetters, replayDeadLetters as replay } from '@fanfare/events';
import { findDeadLetters, toDeadLetter } from './find-dead-letters.ts';
import type { Rpc } from './rpc.ts';
import { findReplays, putReplays } from './store/dead-letter-replays.ts';

/** A call reads their values into memory, and waits for their results. */
const MOST = 50;

export const replayDeadLetters: Rpc<'replayDeadLetters'> =
  (context) =>
  async ({ id, filter, reason }, { log, metadata: { actor } }) => {
    const { config, db } = context;
    if (reason.trim() === '') throw new DomainError('missing_field', 'reason is required.', { param: 'reason' });
    if ((id === undefined) === (filter === undefined))
      throw new DomainError('invalid_request', 'Set either the id of a dead letter or a filter.');
    const found = await findDeadLetters(context, filter);
    const selected = found.filter(({ letter, replay: former }) => (id === undefined ? former === undefined : letter.id === id));
    if (id !== undefined && selected.length === 0) throw notFound('dead letter');
    // The oldest first: later events of an aggregate make earlier ones ineffective.
    const ids = new Set(selected.slice(-MOST).map(({ letter }) => letter.id));
    const letters = (await readDeadLetters(config.kafka, log, (letter) => ids.has(letter.id)))
      .filter((letter) => ids.has(letter.id))
      .toSorted((a, b) => a.failedAt.getTime() - b.failedAt.getTime());
    const results = letters.length > 0 ? await replay(config.kafka, log, letters) : new Map<string, never>();
    await putReplays(db, results, { actor, reason });
    for (const { id: deadLetterId, group: service, topic, headers } of letters) {
      const event_id = headers['ce_id'];
      log.warn(
        { dead_letter: deadLetterId, service, topic, event_id, actor, reason, result: results.get(deadLetterId) },
        'a dead letter was replayed',
      );
    }
    const replays = await findReplays(db, [...ids]);
    return {
      deadLetters: letters.map((letter) => toDeadLetter({ letter, replay: replays.get(letter.id) })),
      remaining: selected.length - ids.size,
    };
  };
