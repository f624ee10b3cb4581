import { DomainError } from '@fanfare/errors';
import type { ListEntriesRequest } from '@fanfare/contracts/timeline';
import type { Subject } from './entry.ts';
import type { TimelinePosition } from './store/entries.ts';

/** What a request to list entries contains. */
export interface TimelinePage {
  readonly of: Pick<Subject, 'postId' | 'organizationId' | 'businessId'>;
  readonly after: TimelinePosition | undefined;
  readonly limit: number;
}

/** The most entries in a response, whatever the request says. */
const MAX_PAGE = 200;

/** @throws DomainError invalid_request */
export function timelinePage(
  { postId, after, pageSize }: ListEntriesRequest,
  { organizationId, businessId }: { readonly organizationId: string; readonly businessId: string },
): TimelinePage {
  const limit = Math.min(Math.max(pageSize, 1), MAX_PAGE);
  if (after && !after.at) throw new DomainError('invalid_request', 'The cursor is invalid.', { param: 'cursor' });
  return { of: { postId, organizationId, businessId }, after: after?.at && { at: after.at, id: after.id }, limit };
}
