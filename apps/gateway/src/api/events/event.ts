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
      'When the change happened. Events are in the order of their `sequence`; the times of different resources may be in a slightly different order.',
  }),
  sequence: z.int().meta({
    description:
      'The number of the event in your organization, counted from 1 without gaps, except for the events of erased businesses. Send it as `cursor` to get the events after this one.',
    example: 1042,
  }),
  business_id: z.uuid().nullable().meta({ description: 'Null if the resource belongs to the organization.' }),
  revision: z
    .int()
    .meta({ description: 'The revision of the resource after the change. Ignore an event with a lower revision than the one you have.' }),
  actor: z
    .string()
    .meta({ description: 'Who caused the change: `key:<id>`, `user:<id>` or `system:<service>`.', example: 'system:publisher' }),
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
    'Something that happened. `data` is the resource right after the change, as its GET operation returns it in your API version, without `self`. In posts, `description` and `transcript` of `media_details` are empty. New types may be added.',
});

export const eventPage = z
  .object({
    items: z.array(event).meta({ description: 'Oldest first.' }),
    next_cursor: z.string().meta({
      description: 'The `cursor` of the next page. Always present: store it, and send it later to continue from there.',
      example: '1042',
    }),
    has_more: z.boolean().meta({ description: 'Whether there are more events now.' }),
  })
  .meta({ id: 'EventPage' });

export type EventBody = z.input<typeof event>;
