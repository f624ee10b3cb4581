import { eventFromProto, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { header } from '../../http/openapi/parameters.ts';
import { stateOf } from '../../http/request/request-state.ts';
import { route, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { event, eventPage, type EventBody } from './event.ts';
import { exampleEvent } from './event-example.ts';
import { checkFilter, feedQuery, toListRequest } from './feed-query.ts';
import { streamEvents } from './stream-events.ts';

const events = { tag: 'Events', access: access.read, scope: 'organization', resource: 'event', method: 'get', status: 200 } as const;

/** More than the longest wait. */
const TIMEOUT_MS = 40_000;

const listEvents = route({
  ...events,
  path: '/api/events',
  operationId: 'list_events',
  sdkMethod: 'events.list',
  summary: 'List events',
  description:
    'Everything that happens to posts, accounts, media and jobs of your organization, oldest first. Events are kept for 30 days. Each has a `sequence`, which counts without gaps, except for the events of erased businesses. Store `next_cursor` after you have processed a page, and continue from there: then you miss no event and see none twice. If `types` or `business_id` select few events, a page can have fewer than `limit` although `has_more` is true.\n\nTo learn of events at once, long-poll with `wait`, or send `Accept: text/event-stream` for a stream of Server-Sent Events: `id` is the sequence, `event` the type, and `data` the event as JSON. A stream begins after `cursor`, by default with the next event, and resumes after `Last-Event-ID`. At its beginning, and every 15 seconds without events, it sends an `id` without data, so that a client that reconnects misses nothing. It ends after 30 minutes at most: reconnect then, as `EventSource` does. An organization can have 20 streams.',
  params: {},
  query: feedQuery,
  requestHeaders: {
    LastEventId: header(
      'Last-Event-ID',
      'In a stream of Server-Sent Events: the `sequence` of the last event that you have. Replaces `cursor`.',
      { type: 'string' },
    ),
  },
  errors: ['resource_not_found'],
  returns: eventPage,
  examples: { response: { items: [exampleEvent], next_cursor: '1042', has_more: false } },
  stream: streamEvents,
  async handler(context, exchange) {
    await checkFilter(context, exchange);
    const request = toListRequest(exchange.query, exchange.query.cursor);
    if (request.waitMs > 0) stateOf(present(exchange.request.res)).waits = true;
    const page = await context.webhooks.listEvents(request, { call: exchange.call, timeoutMs: TIMEOUT_MS });
    const items = page.events.map(eventFromProto) as unknown as EventBody[];
    return { body: { items, next_cursor: String(page.nextAfter), has_more: page.hasMore } };
  },
});

const getEvent = route({
  ...events,
  path: '/api/events/{event_id}',
  operationId: 'get_event',
  sdkMethod: 'events.get',
  summary: 'Get an event',
  params: { event_id: z.uuid() },
  query: { organization_id: organizationId() },
  returns: event,
  examples: { response: exampleEvent },
  async handler({ webhooks }, { params, call }) {
    const found = present((await webhooks.getEvent({ eventId: params.event_id }, { call })).event);
    return { body: eventFromProto(found) as unknown as EventBody };
  },
});

export const eventRoutes: readonly Route[] = [listEvents, getEvent];
