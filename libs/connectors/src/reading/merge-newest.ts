import { z } from 'zod';
import { PlatformFailure } from '../calls/failure.ts';
import type { PlatformPost } from './reading.ts';

/** A page of one of the lists, newest first. */
interface ListPage<T> {
  readonly entries: readonly T[];
  readonly next: string | undefined;
}

/** Reads a page of a list, by the cursor of the platform. Undefined if the account does not have this list. */
export type ReadList<T> = (after: string | undefined) => Promise<ListPage<T> | undefined>;

/** An entry may be in two lists, with times that differ by minutes: so many of the last entries are not returned a second time. More would make cursors long. */
const REMEMBERED = 10;

/**
 * A list is at the beginning of the page with the cursor `after`, or behind its entry `last`. Null if it is read to its end.
 * The cursors of platforms are between pages only, so that a page of which not all was returned is read again.
 */
const placeSchema = z
  .object({ after: z.string().optional(), last: z.object({ id: z.string(), time: z.number().optional() }).optional() })
  .nullable();
const positionSchema = z.object({ places: z.array(placeSchema), recent: z.array(z.string()) });
type Place = z.infer<typeof placeSchema>;
type Position = z.infer<typeof positionSchema>;

type Entry = Pick<PlatformPost, 'publishId' | 'createdAt'>;

/**
 * Reads several lists of a platform as one, newest first, each entry once. Of an entry that is in several lists, the one in the first of them is returned. A page ends
 * early behind the last entry that was read of a list that has more, because the next one of this list may be the newest.
 * @throws PlatformFailure `validation`, with `detail.param` `cursor`, if the cursor does not come from here
 */
export async function mergeNewest<T extends Entry>(
  lists: readonly ReadList<T>[],
  pageSize: number,
  cursor: string | undefined,
): Promise<{ readonly entries: readonly T[]; readonly next?: string }> {
  const { places, recent } = cursor === undefined ? { places: lists.map((): Place => ({})), recent: [] } : positionIn(cursor, lists.length);
  const unread: { place: Place; left: T[]; readonly next: string | undefined }[] = [];
  for (const [index, read] of lists.entries()) {
    const place = places[index] ?? null;
    const page = place && (await read(place.after));
    const isElsewhere = ({ publishId }: T) =>
      recent.includes(publishId) || unread.some(({ left }) => left.some((entry) => entry.publishId === publishId));
    const left = page ? behind(page.entries, place.last).filter((entry) => !isElsewhere(entry)) : [];
    unread.push({ place, left, next: page?.next });
  }
  const entries: T[] = [];
  while (entries.length < pageSize && !unread.some(({ left, next }) => left.length === 0 && next !== undefined)) {
    const [newest] = unread.filter(({ left }) => left.length > 0).sort((one, other) => timeOf(other.left[0]) - timeOf(one.left[0]));
    const entry = newest?.left[0];
    if (newest === undefined || entry === undefined) break;
    entries.push(entry);
    newest.left = newest.left.slice(1);
    newest.place = { ...newest.place, last: { id: entry.publishId, time: entry.createdAt?.getTime() } };
  }
  const position: Position = {
    places: unread.map(({ place, left, next }) => (left.length > 0 ? place : next === undefined ? null : { after: next })),
    recent: [...recent, ...entries.map(({ publishId }) => publishId)].slice(-REMEMBERED),
  };
  return { entries, ...(position.places.some((place) => place !== null) && { next: JSON.stringify(position) }) };
}

/** Newest of all if it is unknown: such an entry does not delay those behind it. */
const timeOf = (entry: Entry | undefined): number => entry?.createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** The entries behind the last one that was returned; if that has been deleted, the older ones. */
function behind<T extends Entry>(entries: readonly T[], last: NonNullable<Place>['last']): T[] {
  if (last === undefined) return [...entries];
  const index = entries.findIndex(({ publishId }) => publishId === last.id);
  return index >= 0 ? entries.slice(index + 1) : entries.filter((entry) => timeOf(entry) < (last.time ?? Infinity));
}

function positionIn(cursor: string, lists: number): Position {
  try {
    const position = positionSchema.parse(JSON.parse(cursor));
    if (position.places.length === lists) return position;
  } catch {
    // Not one of ours.
  }
  throw new PlatformFailure('validation', 'This cursor does not come from this list.', { effect: 'not_sent', detail: { param: 'cursor' } });
}
