import { accountStatsFromProto, postStatsFromProto, present } from '@fanfare/resources';
import { DomainError, notFound } from '@fanfare/errors';
import type { Request } from 'express';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { asRequest } from '../../http/request/parse-query.ts';
import { header } from '../../http/openapi/parameters.ts';
import { route, type Route } from '../../http/route.ts';
import { reconnectable } from '../integrations/reconnectable.ts';
import { cursorParam, limitParam, nextOf } from '../common/page.ts';
import { accountHistory, accountHistoryFrom, accountHistoryTable } from './account-history.ts';
import { accountStats, accountStatsTable } from './account-stats.ts';
import {
  exampleAccountHistory,
  exampleAccountStats,
  examplePlatformPosts,
  examplePlatformPostStats,
  examplePostStats,
} from './analytics-example.ts';
import { dayParams } from './day-params.ts';
import { platformPostFrom, platformPostPage, platformPostStats, platformPostStatsTable, platformPostTable } from './platform-post.ts';
import { postStats, postStatsTable } from './post-stats.ts';
import { timeParam } from '../common/time-param.ts';

const ofBusiness = { business_id: z.uuid() };
const oneIntegration = { ...ofBusiness, integration_id: z.uuid() };
const live = {
  method: 'get',
  tag: 'Analytics',
  scope: 'business',
  access: access.read,
  status: 200,
  requestHeaders: {
    CacheControl: header(
      'Cache-Control',
      '`no-cache` bypasses the cache and reads from the platform, at most once in ten seconds. If the read quota is used up, the cached response is returned; `fetched_at` shows when it was read.',
      { type: 'string', example: 'no-cache' },
    ),
  },
} as const;
const READS = ['invalid_request', 'SOCIAL_TOKEN_EXPIRED', 'conflict', 'UPSTREAM_PROVIDER_ERROR'] as const;
const OF_INTEGRATION = '/api/businesses/{business_id}/integrations/{integration_id}';
/** Platforms can be slow, and a long range takes several calls. */
const TIMEOUT_MS = 60_000;

/** Whether the caller wants the platform to be read again. */
const isFresh = ({ headers }: Request): boolean => /(^|,)\s*no-cache\s*(,|$)/i.test(headers['cache-control'] ?? '');

const getIntegrationStats = route({
  ...live,
  resource: 'account_stats',
  path: `${OF_INTEGRATION}/stats`,
  params: oneIntegration,
  query: {
    ...dayParams('today'),
    period: asRequest(
      z.string({ error: 'must be given once' }).max(40).default('').meta({
        type: 'string',
        default: undefined,
        description:
          'The period that each value of a metric covers: day, week, days_28 or lifetime. `GET /api/platforms` lists the periods of each platform; the first one is the default.',
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
            "Names of the platform's metrics, separated by commas. `GET /api/platforms` lists and describes them. Default: those with `is_default`.",
          example: 'reach,views',
        }),
    ),
  },
  operationId: 'get_integration_stats',
  sdkMethod: 'analytics.account',
  summary: 'Get the statistics of an account',
  description:
    'Reads the statistics from the platform and caches them for several minutes. Days are in the time zone of the platform. If the range is longer than the platform allows in one call, it is read in several calls. The platform may provide no statistics for this account, or its statistics may be turned off on this server (`is_on` in `GET /api/platforms`). Then the fields are null, and `unavailable_reason` explains why.',
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
    return { body: accountStatsFromProto(present(stats)) };
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
  summary: 'Get the daily history of an account',
  description:
    'Fanfare stores the statistics of every connected account once a day, and keeps them for 25 months. So a time series is available even if the platform does not provide one. This operation does not call the platform. The most recent days may be incomplete, because platforms report statistics with a delay.',
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
    end_date: timeParam('Returns only posts created before this time, at most a day in the future.'),
    limit: limitParam(20),
    cursor: cursorParam('next_cursor'),
  },
  operationId: 'list_integration_posts',
  sdkMethod: 'analytics.posts',
  summary: 'List the posts of an account',
  description:
    'Reads all posts of the account with their statistics from the platform, newest first, including posts that were not created with Fanfare. Stories are in the list while they are visible on the platform. A page can have fewer posts than `limit` and still have a `next_cursor`. As CSV, the URL of the next page is in the `Link` header with `rel="next"`. If the posts of this account cannot be listed, or statistics of the platform are turned off on this server, `posts` is empty and `unavailable_reason` says why.',
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
  description: 'Reads one post of the account with its statistics from the platform. The post does not have to be created with Fanfare.',
  self: 'page',
  returns: platformPostStats,
  csv: platformPostStatsTable,
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
  resource: 'post_stats',
  path: '/api/businesses/{business_id}/posts/{post_id}/stats',
  params: { ...ofBusiness, post_id: z.string() },
  query: {
    history: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .meta({ type: 'boolean', default: false, description: 'Whether to return the stored snapshots too.' }),
  },
  operationId: 'get_post_stats',
  sdkMethod: 'analytics.post',
  summary: 'Get the statistics of a post',
  description:
    'Reads from the platforms the statistics of the post on every account to which it was published. If a platform cannot be read, the request still succeeds: the entry has the statistics of the latest snapshot, if there is one, and `unavailable_reason`.',
  self: 'page',
  returns: postStats,
  csv: postStatsTable,
  examples: { response: examplePostStats },
  async handler({ analytics, content }, { request, params, query, call }) {
    const post = await content.getPost({ postId: params.post_id }, { call }).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'resource_not_found') return undefined;
      throw error;
    });
    const publishResults = post ? present(post.post).publishResults : [];
    const targets = publishResults.map(({ integrationId, platform, publishId = '' }) => ({ integrationId, platform, publishId }));
    const withHistory = query.history === 'true';
    const wanted = { postId: params.post_id, targets, withHistory, isFresh: isFresh(request), isStored: false };
    const { results } = await analytics.getPostStats(wanted, { call, timeoutMs: TIMEOUT_MS });
    if (!post && results.length === 0) throw notFound('post');
    return { body: postStatsFromProto(params.post_id, results, withHistory) };
  },
});

export const statsRoutes: readonly Route[] = [
  getIntegrationStats,
  getIntegrationHistory,
  listIntegrationPosts,
  getIntegrationPostStats,
  getPostStats,
];
