import type { Request } from 'express';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import { route, type Route } from '../../http/route.ts';
import { reconnectable } from '../integrations/reconnectable.ts';
import { cursorParam, limitParam, nextOf } from '../shared/page.ts';
import { present } from '../shared/present.ts';
import { accountHistory, accountHistoryFrom, accountHistoryTable } from './account-history.ts';
import { accountStats, accountStatsFrom, accountStatsTable } from './account-stats.ts';
import {
  exampleAccountHistory,
  exampleAccountStats,
  examplePlatformPosts,
  examplePlatformPostStats,
  examplePostStats,
} from './analytics-example.ts';
import { dayParams } from './day-params.ts';
import { platformPostFrom, platformPostPage, platformPostStats, platformPostTable } from './platform-post.ts';
import { postStats, postStatsFrom, postStatsTable } from './post-stats.ts';
import { timeParam } from './time-param.ts';

const ofBusiness = { business_id: z.uuid() };
const oneIntegration = { ...ofBusiness, integration_id: z.uuid() };
const live = {
  method: 'get',
  tag: 'Analytics',
  scope: 'business',
  access: access.read,
  status: 200,
  requestHeaders: ['CacheControl'],
} as const;
const READS = ['invalid_request', 'SOCIAL_TOKEN_EXPIRED', 'conflict', 'UPSTREAM_PROVIDER_ERROR'] as const;
const OF_INTEGRATION = '/api/businesses/{business_id}/integrations/{integration_id}';
/** A platform may take long, and a long range takes several calls. */
const TIMEOUT_MS = 60_000;

/** Whether the caller wants the platform to be asked again. */
const isFresh = ({ headers }: Request): boolean => /(^|,)\s*no-cache\s*(,|$)/i.test(headers['cache-control'] ?? '');

const getIntegrationStats = route({
  ...live,
  path: `${OF_INTEGRATION}/stats`,
  params: oneIntegration,
  query: {
    ...dayParams('today'),
    period: asRequest(
      z.string({ error: 'must be given once' }).max(40).default('').meta({
        type: 'string',
        default: undefined,
        description:
          'day, week, days_28 or lifetime. `GET /api/platforms` lists the periods of each platform; the first one is the default.',
        example: 'day',
      }),
    ),
    metrics: asRequest(
      z
        .string({ error: 'must be given once' })
        .min(1, 'must name a metric')
        .max(2_000)
        .transform((text) => text.split(',').map((name) => name.trim()))
        .optional()
        .meta({
          type: 'string',
          description:
            "Names of the platform's metrics, separated by commas. `GET /api/platforms` lists them with a description; without the parameter, those that are not optional.",
          example: 'reach,views',
        }),
    ),
  },
  operationId: 'get_integration_stats',
  sdkMethod: 'analytics.account',
  summary: 'Get the statistics of an account',
  description:
    "Reads the platform; the response is cached for some minutes. The days are those of the platform's time zone. Ranges longer than one call of the platform allows are read in parts and joined. If the platform has no statistics of this account, the numbers are null and `unavailable_reason` says why.",
  self: 'page',
  returns: accountStats,
  csv: accountStatsTable,
  errors: READS,
  examples: { response: exampleAccountStats },
  async handler({ analytics, urls }, { request, params, query, call }) {
    const wanted = {
      integrationId: params.integration_id,
      start: query.start_date,
      end: query.end_date,
      period: query.period,
      metrics: query.metrics ?? [],
      isFresh: isFresh(request),
    };
    const { stats } = await reconnectable(urls, params, () => analytics.getAccountStats(wanted, { call, timeoutMs: TIMEOUT_MS }));
    return { body: accountStatsFrom(present(stats)) };
  },
});

const getIntegrationHistory = route({
  method: 'get',
  tag: 'Analytics',
  scope: 'business',
  access: access.read,
  status: 200,
  path: `${OF_INTEGRATION}/stats/history`,
  params: oneIntegration,
  query: dayParams('today'),
  operationId: 'get_integration_history',
  sdkMethod: 'analytics.accountHistory',
  summary: 'Get the stored days of an account',
  description:
    'Fanfare reads every connected account once a day and keeps its numbers for 25 months, so that there is a time series also where a platform has none. The platform is not asked. Numbers of the last days may still be missing, because platforms report them late.',
  self: 'page',
  returns: accountHistory,
  csv: accountHistoryTable,
  errors: ['invalid_request'],
  examples: { response: exampleAccountHistory },
  async handler({ analytics }, { params, query, call }) {
    const wanted = { integrationId: params.integration_id, start: query.start_date, end: query.end_date };
    return { body: accountHistoryFrom(await analytics.getAccountHistory(wanted, { call })) };
  },
});

const listIntegrationPosts = route({
  ...live,
  path: `${OF_INTEGRATION}/posts`,
  params: oneIntegration,
  query: {
    start_date: timeParam('Returns only posts created at this time or later.'),
    end_date: timeParam('Returns only posts created before this time.'),
    limit: limitParam(20),
    cursor: cursorParam(),
  },
  operationId: 'list_integration_posts',
  sdkMethod: 'analytics.posts',
  summary: 'List the posts of an account',
  description:
    'Reads the platform: all posts of the account with their numbers, newest first, whoever created them. A page may have fewer posts than `limit`, and `next_cursor` still lead to more.',
  self: 'page',
  returns: platformPostPage,
  csv: platformPostTable,
  errors: READS,
  examples: { response: examplePlatformPosts },
  async handler({ analytics, urls }, { request, params, query, call }) {
    const wanted = {
      integrationId: params.integration_id,
      start: query.start_date,
      end: query.end_date,
      pageSize: query.limit,
      cursor: query.cursor,
      isFresh: isFresh(request),
    };
    const page = await reconnectable(urls, params, () => analytics.listPlatformPosts(wanted, { call, timeoutMs: TIMEOUT_MS }));
    return {
      body: {
        posts: page.posts.map(platformPostFrom),
        next_cursor: nextOf(page.nextCursor),
        total_count: page.totalCount ?? null,
        unavailable_reason: page.unavailableReason || null,
      },
    };
  },
});

const getIntegrationPostStats = route({
  ...live,
  path: `${OF_INTEGRATION}/posts/{external_post_id}/stats`,
  params: {
    ...oneIntegration,
    external_post_id: z.string().max(500).meta({ description: "The platform's id of the post: `publish_id`." }),
  },
  query: {},
  operationId: 'get_integration_post_stats',
  sdkMethod: 'analytics.platformPost',
  summary: 'Get the statistics of a post by its platform id',
  description: 'Reads one post of the account from the platform, whoever created it.',
  self: 'page',
  returns: platformPostStats,
  errors: READS,
  examples: { response: examplePlatformPostStats },
  async handler({ analytics, urls }, { request, params, call }) {
    const wanted = { integrationId: params.integration_id, publishId: params.external_post_id, isFresh: isFresh(request) };
    const { post, unavailableReason } = await reconnectable(urls, params, () =>
      analytics.getPlatformPost(wanted, { call, timeoutMs: TIMEOUT_MS }),
    );
    return { body: { ...platformPostFrom(present(post)), unavailable_reason: unavailableReason || null } };
  },
});

const getPostStats = route({
  ...live,
  path: '/api/businesses/{business_id}/posts/{post_id}/stats',
  params: { ...ofBusiness, post_id: z.string() },
  query: {
    history: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .meta({ type: 'boolean', default: false, description: 'true also returns the stored snapshots.' }),
  },
  operationId: 'get_post_stats',
  sdkMethod: 'analytics.post',
  summary: 'Get the statistics of a post',
  description:
    'The numbers of the post on every account that it was published to, read from the platforms. A platform that cannot be read does not fail the request: its entry has the numbers of the latest snapshot, if there is one, and `unavailable_reason`.',
  self: 'page',
  returns: postStats,
  csv: postStatsTable,
  examples: { response: examplePostStats },
  async handler({ analytics, content }, { request, params, query, call }) {
    const { publishResults } = present((await content.getPost({ postId: params.post_id }, { call })).post);
    const targets = publishResults.map(({ integrationId, platform, publishId = '' }) => ({ integrationId, platform, publishId }));
    const withHistory = query.history === 'true';
    const wanted = { postId: params.post_id, targets, withHistory, isFresh: isFresh(request) };
    const { results } = await analytics.getPostStats(wanted, { call, timeoutMs: TIMEOUT_MS });
    return { body: postStatsFrom(params.post_id, results, withHistory) };
  },
});

export const statsRoutes: readonly Route[] = [
  getIntegrationStats,
  getIntegrationHistory,
  listIntegrationPosts,
  getIntegrationPostStats,
  getPostStats,
];
