import { PLATFORMS } from '@fanfare/connectors/platform';
import type { ListPostsRequest, PostSort } from '@fanfare/contracts/content';
import { z } from 'zod';
import { ownId, text } from '../../text/text.ts';
import { platformName } from '../platforms/platform-name.ts';
import { cursorParam, limitParam } from '../common/page.ts';
import { POST_STATUSES, statusToProto } from './fields/post-status.ts';
import { PUBLISH_STATUSES, publishStatusToProto } from './fields/publish-status.ts';
import { windowParam } from './scheduled-window.ts';

/** The values of `sort`; a minus means descending. */
const SORTS = {
  '-created_at': 'POST_SORT_UNSPECIFIED',
  created_at: 'POST_SORT_CREATED_FIRST',
  '-scheduled_publish_time': 'POST_SORT_SCHEDULED_LAST',
  scheduled_publish_time: 'POST_SORT_SCHEDULED_FIRST',
  '-published_at': 'POST_SORT_PUBLISHED_LAST',
  published_at: 'POST_SORT_PUBLISHED_FIRST',
} as const satisfies Record<string, PostSort>;
const SORT_NAMES = Object.keys(SORTS) as (keyof typeof SORTS)[];

const ONCE = 'must be given once';

/** The query parameters of the list of posts. A post must match all filters. */
export const postListQuery = {
  status: severalOf(POST_STATUSES, 'Returns only posts with these values. Repeat the parameter for several.'),
  publish_status: severalOf(
    PUBLISH_STATUSES,
    'Returns only posts with one of these values of `publish_status`. Repeat the parameter for several. `failed` includes posts that could not be published at all.',
  ),
  platform: z
    .string({ error: ONCE })
    .pipe(platformName())
    .optional()
    .meta({
      type: 'string',
      description: `Returns only posts that were published to an account of this platform or, if they have not been published, that target it. Case-insensitive: ${PLATFORMS.join(', ')}.`,
      example: 'instagram',
    }),
  integration_id: z
    .uuid('must be a UUID')
    .toLowerCase()
    .optional()
    .meta({ description: 'The same as `platform`, for one connected account.' }),
  q: z.string({ error: ONCE }).pipe(text(200)).optional().meta({
    type: 'string',
    maxLength: 200,
    description:
      'Returns only posts that contain all of these words in the caption, or in a caption or title of an override. Matches whole words, ignoring case and accents. Of a very long text, the first 1,000 different words are searched.',
    example: 'fresh bread',
  }),
  series_id: z.string({ error: ONCE }).pipe(ownId()).optional().meta({
    type: 'string',
    description: 'Returns only posts of this series: the `series_id` of any of them, which is the id of the first one.',
  }),
  queue_id: z.string({ error: ONCE }).pipe(ownId()).optional().meta({
    type: 'string',
    description: 'Returns only posts in this queue. For their order, see list_queue_posts.',
  }),
  at_risk: z.enum(['true', 'false'], { error: 'must be true or false' }).optional().meta({
    type: 'boolean',
    description:
      'true returns only posts with an entry in `at_risk`: scheduled posts, and those that are held because they were too late. false returns only posts without one. The list follows a change of an account or a setting within seconds.',
  }),
  scheduled_from: windowParam('Returns only scheduled posts with this publish time or a later one.'),
  scheduled_to: windowParam('Returns only scheduled posts with a publish time before this one.'),
  sort: z
    .enum(SORT_NAMES, { error: `must be one of ${SORT_NAMES.join(', ')}` })
    .default('-created_at')
    .meta({ description: 'If you sort by `scheduled_publish_time` or `published_at`, the list contains only posts that have that time.' }),
  limit: limitParam(20),
  cursor: cursorParam(),
};

export function toListPostsRequest(query: z.output<z.ZodObject<typeof postListQuery>>): ListPostsRequest {
  return {
    statuses: query.status.map(statusToProto),
    publishStatuses: query.publish_status.map(publishStatusToProto),
    platform: query.platform,
    integrationId: query.integration_id,
    query: query.q,
    seriesId: query.series_id,
    queueId: query.queue_id,
    atRisk: query.at_risk === undefined ? undefined : query.at_risk === 'true',
    scheduledFrom: query.scheduled_from,
    scheduledTo: query.scheduled_to,
    sort: SORTS[query.sort],
    pageSize: query.limit,
    pageToken: query.cursor,
  };
}

function severalOf<const T extends readonly string[]>(names: T, description: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [given].flat())
    .pipe(z.array(z.enum(names, { error: `must be one of ${names.join(', ')}` })))
    .transform((given) => [...new Set(given)])
    .default([])
    .meta({ type: 'array', items: { type: 'string', enum: [...names] }, default: undefined, description });
}
