import { currentMs } from '@fanfare/runtime';
import { readFeed } from '../feed/read-feed.ts';
import { toEvent } from '../feed/to-event.ts';
import type { Rpc } from './rpc.ts';

const MOST_WAIT_MS = 30_000;
/** The response must arrive before the caller's deadline. */
const RESERVE_MS = 500;

export const listEvents: Rpc<'listEvents'> =
  ({ arrivals, db }) =>
  async ({ after, isFromNow, types, businessId, limit, waitMs }, { metadata: { organizationId }, deadline }) => {
    const endsAt = Math.min(currentMs() + Math.min(waitMs, MOST_WAIT_MS), deadline.getTime() - RESERVE_MS);
    const query = { organizationId, types, businessId, limit };
    let page = await readFeed(db, { ...query, after: isFromNow ? 'latest' : after });
    // Events that the filter does not select end a wait, too: the cursor moves past them, and the wait continues.
    while (page.events.length === 0 && !page.hasMore && (await arrivals.until(organizationId, page.nextAfter, endsAt - currentMs())))
      page = await readFeed(db, { ...query, after: page.nextAfter });
    return { events: page.events.map(toEvent), nextAfter: page.nextAfter, hasMore: page.hasMore };
  };
