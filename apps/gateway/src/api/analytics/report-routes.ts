import { present } from '@fanfare/resources';
import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import { route, type Route } from '../../http/route.ts';
import { text } from '../../text/text.ts';
import { platformName } from '../platforms/platform-name.ts';
import { limitParam } from '../common/page.ts';
import { exampleBestTimes, exampleRankedPosts, exampleSummary } from './analytics-example.ts';
import { bestTimes, bestTimesFrom, bestTimesTable } from './best-times.ts';
import { dayParams } from './day-params.ts';
import { ENGAGEMENT_RATE } from './post-statistics.ts';
import { METRICS, rankedPosts, rankedPostsFrom, rankedPostsTable } from './ranked-post.ts';
import { summary, summaryFrom, summaryTable } from './summary.ts';

const report = {
  method: 'get',
  tag: 'Analytics',
  scope: 'business',
  access: access.read,
  params: { business_id: z.uuid() },
  status: 200,
  self: 'page',
} as const;
const PATH = '/api/businesses/{business_id}/analytics';
const ONCE = 'must be given once';
/** The error of a parameter with a few values. */
const oneOf = (values: readonly string[]) => ({
  error: ({ input }: { readonly input: unknown }) => (Array.isArray(input) ? ONCE : `must be one of ${values.join(', ')}`),
});
const MEDIA_TYPES = ['image', 'video', 'album', 'text', 'link'] as const;

const onPlatform = z
  .string({ error: ONCE })
  .pipe(platformName())
  .optional()
  .meta({ type: 'string', description: 'Returns only posts on this platform.', example: 'instagram' });

const getSummary = route({
  ...report,
  path: `${PATH}/summary`,
  query: dayParams('yesterday'),
  operationId: 'get_analytics_summary',
  sdkMethod: 'analytics.summary',
  summary: 'Get a summary of all accounts',
  description:
    'Totals of all accounts of the business over a range of days, compared with the preceding range of the same length. They are computed from the stored history, which starts when an account is connected and is kept for 25 months. A total adds only the accounts for which the number is known; `known_accounts` counts them. The most recent days may be incomplete, because platforms report statistics with a delay. For posts, days are in UTC.',
  returns: summary,
  csv: summaryTable,
  errors: ['invalid_request'],
  examples: { response: exampleSummary },
  async handler({ analytics }, { query, call }) {
    return { body: summaryFrom(await analytics.getSummary({ start: query.start_date, end: query.end_date }, { call })) };
  },
});

const rankPosts = route({
  ...report,
  path: `${PATH}/posts`,
  query: {
    ...dayParams('today'),
    metric: asRequest(
      z
        .enum(METRICS as readonly [string, ...string[]], oneOf(METRICS))
        .default('engagements')
        .meta({
          description: `The metric to rank by. \`engagements\` is the sum of likes, comments, shares and saves. \`engagement_rate\`: ${ENGAGEMENT_RATE}`,
        }),
    ),
    platform: onPlatform,
    media_type: z.enum(MEDIA_TYPES, oneOf(MEDIA_TYPES)).optional().meta({ description: 'Returns only posts with this type of media.' }),
    metadata_key: z.string({ error: ONCE }).pipe(text(200)).optional().meta({
      type: 'string',
      description: 'Returns only posts whose `metadata` has this key.',
      example: 'campaign',
    }),
    metadata_value: z.string({ error: ONCE }).pipe(text(2_000)).optional().meta({
      type: 'string',
      description: 'With `metadata_key`: returns only posts whose `metadata` has this value under that key.',
      example: 'summer',
    }),
    limit: limitParam(20),
  },
  operationId: 'rank_posts',
  sdkMethod: 'analytics.topPosts',
  summary: 'Rank published posts',
  description:
    'Ranks the posts that Fanfare published in the range by a metric of their latest snapshot, highest value first. A post that was published to several accounts has one entry for each. Posts for which the metric is unknown are omitted. Posts have no topic. To rank the posts of a topic, store the topic in their `metadata`, and filter by `metadata_key` and `metadata_value`. Days are in UTC.',
  returns: rankedPosts,
  csv: rankedPostsTable,
  errors: ['invalid_request'],
  examples: { response: exampleRankedPosts },
  async handler({ analytics }, { query, call }) {
    if (query.metadata_value !== undefined && query.metadata_key === undefined) {
      throw new DomainError('invalid_request', 'metadata_key must be given with metadata_value.', { param: 'metadata_key' });
    }
    const { posts } = await analytics.rankPosts(
      {
        start: query.start_date,
        end: query.end_date,
        metric: query.metric,
        platform: query.platform ?? '',
        mediaType: query.media_type ?? '',
        metadataKey: query.metadata_key,
        metadataValue: query.metadata_value,
        limit: query.limit,
      },
      { call },
    );
    return { body: rankedPostsFrom(posts) };
  },
});

const getBestTimes = route({
  ...report,
  path: `${PATH}/best-times`,
  query: { platform: onPlatform },
  operationId: 'get_best_times',
  sdkMethod: 'analytics.bestTimes',
  summary: 'Get the best times to post',
  description:
    "Returns the hours of the week, in the business's time zone, ranked by the engagements that its own posts received within 24 hours.",
  returns: bestTimes,
  csv: bestTimesTable,
  examples: { response: exampleBestTimes },
  async handler({ analytics, content }, { params, query, call }) {
    const { timezone } = present((await content.getBusiness({ businessId: params.business_id }, { call })).business);
    const times = await analytics.getBestTimes({ timeZone: timezone, platform: query.platform ?? '' }, { call });
    return { body: bestTimesFrom(times, timezone) };
  },
});

export const reportRoutes: readonly Route[] = [getSummary, rankPosts, getBestTimes];
