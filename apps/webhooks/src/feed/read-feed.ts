import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import type { EventDocument } from './event.ts';
import { findEvents, oldestSequence } from './store/events.ts';
import { lastSequences } from './store/sequences.ts';

interface FeedQuery {
  readonly organizationId: string;
  /** Sequence of the last event that the caller has; undefined begins at the oldest event, `latest` after the newest one. */
  readonly after: number | 'latest' | undefined;
  /** Empty means all. */
  readonly types: readonly string[];
  readonly businessId: string | undefined;
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly EventDocument[];
  /** Sequence of the last event that was examined. */
  readonly nextAfter: number;
  readonly hasMore: boolean;
}

/** Events that one call examines at most: with a filter that selects few, a page can have fewer events than its limit although there are more. */
const MOST_EXAMINED = 20_000;

/**
 * Reads a page of the feed.
 * @throws DomainError invalid_request (`cursor`) for a sequence that is not kept or not reached yet
 */
export async function readFeed(db: Db, { organizationId, after: given, types, businessId, limit }: FeedQuery): Promise<FeedPage> {
  const [lasts, oldest] = await Promise.all([lastSequences(db, [organizationId]), oldestSequence(db, organizationId)]);
  const last = lasts.get(organizationId) ?? 0;
  const first = oldest ?? last + 1;
  const after = given === 'latest' ? last : (given ?? first - 1);
  checkCursor(after, first, last);
  const upTo = Math.min(last, after + MOST_EXAMINED);
  if (upTo === after) return { events: [], nextAfter: after, hasMore: false };
  const found = await findEvents(db, { organizationId, after, upTo, types, businessId, limit: limit + 1 });
  const events = found.slice(0, limit);
  const nextAfter = found.length > limit ? (events.at(-1)?.sequence ?? after) : upTo;
  return { events, nextAfter, hasMore: nextAfter < last };
}

function checkCursor(after: number, first: number, last: number): void {
  if (after > last) throw invalid(`There is no event ${after}. The newest is ${last}.`);
  if (after < first - 1)
    throw invalid(
      `Events after ${after} are deleted: events are kept for 30 days. The oldest is ${first}; read on with cursor=${first - 1}.`,
    );
}

const invalid = (message: string) => new DomainError('invalid_request', message, { param: 'cursor' });
