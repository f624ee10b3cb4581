import type { Entry, ListEntriesRequest, ListEntriesResponse } from '@fanfare/contracts/timeline';
import { pageToken, parsePageToken } from '@fanfare/mongo';
import { isoTime } from '@fanfare/resources';
import type { CallMetadata } from '@fanfare/rpc';

/** A service that has recorded entries. */
interface Recorder {
  listEntries(request: ListEntriesRequest, options: { call: { metadata: CallMetadata } }): Promise<ListEntriesResponse>;
}

/**
 * A page of the timeline of a post: the entries of all services, merged by time. A whole page after the same position is read from each service, so the
 * page has the first entries after it, whoever recorded them.
 * @throws DomainError resource_not_found, invalid_request (cursor)
 */
export async function readTimeline(
  services: readonly Recorder[],
  { postId, limit, cursor }: { readonly postId: string; readonly limit: number; readonly cursor: string },
  call: { metadata: CallMetadata },
): Promise<{ readonly entries: Entry[]; readonly nextPageToken: string }> {
  const { organizationId, businessId } = call.metadata;
  const binding = ['timeline', organizationId, businessId, postId];
  const position = parsePageToken(cursor, binding);
  const after = position && { at: position.createdAt, id: position.id };
  const responses = await Promise.all(services.map((one) => one.listEntries({ postId, after, pageSize: limit + 1 }, { call })));
  const merged = responses.flatMap(({ entries }) => entries).sort(inOrder);
  const entries = merged.slice(0, limit);
  const last = entries.at(-1);
  const isMore = merged.length > limit && last?.at !== undefined;
  return { entries, nextPageToken: isMore ? pageToken({ createdAt: new Date(isoTime(last.at)), id: last.id }, binding) : '' };
}

/** As each service sorts its own entries. */
const inOrder = (a: Entry, b: Entry): number => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0) || (a.id < b.id ? -1 : 1);
