import { DomainError } from '@fanfare/errors';
import { downgradeEvent, eventFromProto } from '@fanfare/resources';
import type { Context } from '../../context.ts';
import type { RawExchange } from '../../http/raw-route.ts';
import { stateOf } from '../../http/request/request-state.ts';
import { checkFilter, cursor, toListRequest, type FeedQuery } from './feed-query.ts';

/** How long a stream is silent at most. Also how soon it ends after the credential was revoked. */
const SILENCE_MS = 15_000;
const TIMEOUT_MS = 25_000;

/** Sends events as they happen, until the client disconnects or loses its access. */
export async function streamEvents(context: Context, exchange: RawExchange<unknown, FeedQuery>): Promise<void> {
  const { call, organization, query, request, response } = exchange;
  stateOf(response).waits = true;
  await checkFilter(context, exchange);
  const inVersion = downgradeEvent(stateOf(response).version);
  const read = (after: FeedQuery['cursor'], waitMs: number) =>
    context.webhooks.listEvents({ ...toListRequest(query, after), waitMs }, { call, timeoutMs: TIMEOUT_MS });
  // Before the response begins, so that a bad cursor is an error of the request.
  let page = await read(startOf(request.headers['last-event-id'], query.cursor), 0);
  const stream = context.eventStreams.open(organization.organizationId, response);
  try {
    while (!stream.signal.aborted) {
      if (page.events.length > 0) {
        const bodies = page.events.map(eventFromProto);
        await stream.send(bodies.map((body) => ({ id: String(body.sequence), event: body.type, data: JSON.stringify(inVersion(body)) })));
      } else if (!page.hasMore) await stream.sendPosition(String(page.nextAfter));
      await exchange.checkCallerAgain();
      const next = await stream.during(read(page.nextAfter, page.hasMore ? 0 : SILENCE_MS));
      if (!next) break;
      page = next;
    }
  } catch (error) {
    // The client reconnects, and learns the reason then.
    context.log.info({ err: error, request_id: exchange.requestId }, 'an event stream ended with an error');
  } finally {
    stream.end();
  }
}

/** @throws DomainError invalid_request */
function startOf(lastEventId: string | string[] | undefined, given: FeedQuery['cursor']): FeedQuery['cursor'] {
  if (lastEventId === undefined || lastEventId === '') return given ?? 'latest';
  const parsed = cursor.safeParse(lastEventId);
  if (!parsed.success)
    throw new DomainError('invalid_request', 'Last-Event-ID must be the sequence of an event.', { param: 'Last-Event-ID' });
  return parsed.data;
}
