import type { ListEventsRequest } from '@fanfare/contracts/webhooks';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { checkBusiness } from '../../http/callers/check-business.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import type { Exchange, Parsed } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { limitParam } from '../common/page.ts';
import { typesParam } from '../common/event-types.ts';

const LATEST = 'latest';
const LONGEST_WAIT_S = 30;

const CURSOR = /^(latest|0|[1-9]\d{0,14})$/;

export const cursor = z
  .string({ error: 'must be given once' })
  .regex(CURSOR, 'must be the next_cursor of a page, the sequence of an event, or latest')
  .transform((text) => (text === LATEST ? LATEST : Number(text)));

export const feedQuery = {
  organization_id: organizationId(),
  cursor: asRequest(
    cursor.optional().meta({
      type: 'string',
      pattern: CURSOR.source,
      description:
        'The `next_cursor` of the previous page, or the `sequence` of an event: returns the events after it. `latest` begins after the newest event. Without a cursor the response begins with the oldest event that is kept.',
      example: '1042',
    }),
  ),
  types: typesParam(),
  business_id: z.uuid().optional().meta({ description: 'Only events of this business.' }),
  limit: limitParam(100),
  wait: asRequest(
    z
      .string({ error: 'must be given once' })
      .regex(/^\d{1,2}$/, `must be a number of seconds from 0 to ${LONGEST_WAIT_S}`)
      .transform(Number)
      .pipe(z.int().max(LONGEST_WAIT_S, `must be at most ${LONGEST_WAIT_S}`))
      .default(0)
      .meta({
        type: 'integer',
        minimum: 0,
        maximum: LONGEST_WAIT_S,
        default: 0,
        description: 'If there are no events, waits up to this many seconds for one (long polling).',
      }),
  ),
};

export type FeedQuery = Parsed<typeof feedQuery>;

/** @param after where to begin; undefined for the oldest event */
export const toListRequest = (query: FeedQuery, after: FeedQuery['cursor']): ListEventsRequest => ({
  after: after === LATEST ? undefined : after,
  isFromNow: after === LATEST,
  types: query.types ?? [],
  businessId: query.business_id?.toLowerCase(),
  limit: query.limit,
  waitMs: query.wait * 1_000,
});

/**
 * Checks that the business of the filter belongs to the organization.
 * @throws DomainError resource_not_found, permission_denied
 */
export async function checkFilter(context: Context, { query, caller, call }: Exchange<unknown, FeedQuery, unknown>): Promise<void> {
  if (query.business_id === undefined) return;
  await checkBusiness(context, { access: access.read, method: 'get' }, caller, {
    ...call.metadata,
    businessId: query.business_id.toLowerCase(),
  });
}
