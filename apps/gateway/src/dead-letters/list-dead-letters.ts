import { DomainError } from '@fanfare/errors';
import { pageOf, parsePageToken } from '@fanfare/mongo';
import { findDeadLetters, toDeadLetter } from './find-dead-letters.ts';
import type { Rpc } from './rpc.ts';

const MAX_PAGE_SIZE = 100;

export const listDeadLetters: Rpc<'listDeadLetters'> =
  (context) =>
  async ({ filter, pageSize, pageToken }) => {
    if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
      throw new DomainError('invalid_value', `The page size must be from 1 to ${MAX_PAGE_SIZE}.`, { param: 'page_size' });
    }
    const { service = null, type = null, organizationId = null, replayed = null } = filter ?? {};
    const binding = ['dead_letters', service, type, organizationId, replayed];
    const from = parsePageToken(pageToken, binding);
    const rows = (await findDeadLetters(context, filter)).map((found) => ({
      ...found,
      _id: found.letter.id,
      created_at: found.letter.failedAt,
    }));
    const rest = from
      ? rows.filter(
          ({ _id, created_at }) => created_at < from.createdAt || (created_at.getTime() === from.createdAt.getTime() && _id < from.id),
        )
      : rows;
    const page = pageOf(rest, pageSize, binding);
    return { deadLetters: page.rows.map(toDeadLetter), nextPageToken: page.nextPageToken };
  };
