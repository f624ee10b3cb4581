import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '@fanfare/resources';
import { z } from 'zod';
import { timestamp } from '../common/timestamp.ts';
import { integration } from '../integrations/integration.ts';
import { job } from '../generation/job.ts';
import { media } from '../media/media.ts';
import { accountStats } from '../analytics/account-stats.ts';
import { postStats } from '../analytics/post-stats.ts';
import { post } from '../posts/post.ts';
import { queue } from '../queues/queue.ts';
import { webhook } from '../webhooks/webhook.ts';

const shape = {
  id: z.uuid(),
  timestamp: timestamp().meta({
    description:
      'When it happened. Events are in the order of their `sequence`; those of different resources may differ slightly from the order of their times.',
  }),
  sequence: z.int().meta({
    description:
      'Counts the events of your organization, from 1 and without gaps, except where events of an erased business were. It is also the cursor after this event.',
    example: 1042,
  }),
  business_id: z.uuid().nullable().meta({ description: 'Null if the resource belongs to the organization.' }),
  revision: z
    .int()
    .meta({ description: 'The revision of the resource after the change. Ignore an event that is older than what you have.' }),
  actor: z.string().meta({ description: 'Who caused it: `key:<id>`, `user:<id>` or `system:<service>`.', example: 'system:publisher' }),
  request_id: z.string().nullable().meta({ description: 'The `X-Request-ID` of the request that caused it; null if none did.' }),
  previous: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      'The values that changed fields of `data` had in the previous event of the resource. Null if none has changed, or if that event was more than 30 days ago.',
    example: null,
  }),
};

const ofKind = <T extends z.ZodType>(kind: EventType['resource'], id: string, data: T) => {
  const types = EVENT_TYPE_NAMES.filter((name) => EVENT_TYPES[name].resource === kind);
  const description = types.map((name) => `- \`${name}\`: ${EVENT_TYPES[name].description}`).join('\n');
  return z.object({ ...shape, type: z.enum(types).meta({ description }), data }).meta({ id });
};

/** The schemas of events, by the kind of resource in `data`. */
export const eventsByKind = {
  post: ofKind('post', 'PostEvent', post),
  queue: ofKind('queue', 'QueueEvent', queue),
  post_stats: ofKind('post_stats', 'PostStatsEvent', postStats),
  integration: ofKind('integration', 'IntegrationEvent', integration),
  account_stats: ofKind('account_stats', 'AccountStatsEvent', accountStats),
  media: ofKind('media', 'MediaEvent', media),
  job: ofKind('job', 'JobEvent', job),
  webhook: ofKind('webhook', 'WebhookEndpointEvent', webhook),
} satisfies Record<EventType['resource'], z.ZodType>;

const { post: ofPost, queue: ofQueue, post_stats: ofPostStats, integration: ofIntegration, account_stats: ofAccountStats } = eventsByKind;
const { media: ofMedia, job: ofJob, webhook: ofWebhook } = eventsByKind;
const EVENT_SCHEMAS = [ofPost, ofQueue, ofPostStats, ofIntegration, ofAccountStats, ofMedia, ofJob, ofWebhook] as const;

/** The bodies of all types of events. */
export const event = z.discriminatedUnion('type', EVENT_SCHEMAS).meta({
  id: 'Event',
  description:
    'Something that happened. `data` is the resource right after it, as its GET returns it in your API version, without `self`. In posts, `description` and `transcript` of `media_details` are empty. New types may be added.',
});

export const eventPage = z
  .object({
    items: z.array(event).meta({ description: 'Oldest first.' }),
    next_cursor: z
      .string()
      .meta({ description: 'The `cursor` of the next page. Always present: store it, and read on from there later.', example: '1042' }),
    has_more: z.boolean().meta({ description: 'Whether there are more events now.' }),
  })
  .meta({ id: 'EventPage' });

export type EventBody = z.input<typeof event>;
