import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { accountHistory } from './account-history.ts';
import type { accountStats } from './account-stats.ts';
import type { bestTimes } from './best-times.ts';
import type { platformPost, platformPostPage, platformPostStats } from './platform-post.ts';
import type { PostStatistics } from './post-statistics.ts';
import type { postStats } from './post-stats.ts';
import type { rankedPosts } from './ranked-post.ts';
import type { summary } from './summary.ts';

const statistics: PostStatistics = {
  fetched_at: '2026-08-06T09:30:00.000Z',
  likes: 128,
  comment_count: 14,
  impressions: 5210,
  shares: 9,
  reach: 4102,
  saves: 31,
  clicks: null,
  views: 5210,
  video_duration_ms: null,
  avg_watch_time_ms: null,
  total_watch_time_ms: null,
  completion_rate: null,
  video_views_organic: null,
  video_views_paid: null,
};
const PUBLISH_ID = '17895695668004550';
const PAGE = 'https://www.instagram.com/p/C8vXY2uN1ab/';

export const exampleAccountStats: z.input<typeof accountStats> = {
  fetched_at: '2026-08-06T09:30:00.000Z',
  platform: 'instagram',
  account_id: '17841405309211844',
  page_id: '17841405309211844',
  start_date: '2026-07-08',
  end_date: '2026-08-06',
  time_zone: 'America/Los_Angeles',
  followers: 1204,
  following: 87,
  posts_count: 312,
  impressions: 48211,
  reach: 20117,
  profile_views: null,
  website_clicks: null,
  audience_age_pct: { '18-24': 0.21, '25-34': 0.44, '35-44': 0.35 },
  audience_gender_pct: { FEMALE: 0.58, MALE: 0.39, UNKNOWN: 0.03 },
  audience_country_pct: { DE: 0.81, AT: 0.19 },
  audience_city_pct: { 'Hamburg, Hamburg': 1 },
  audience_industry_pct: null,
  audience_seniority_pct: null,
  audience_function_pct: null,
  metrics: [
    {
      name: 'reach',
      period: 'day',
      values: [
        { end_time: '2026-08-05T07:00:00.000Z', value: 702 },
        { end_time: '2026-08-06T07:00:00.000Z', value: 688 },
      ],
    },
  ],
  raw_metrics: { reach: 20117, views: 48211, likes: 1302 },
  unavailable_reason: null,
  post_stats_hint:
    'To get the statistics of individual posts, list the posts of the account: GET /api/businesses/{business_id}/integrations/{integration_id}/posts.',
};

export const exampleAccountHistory: z.input<typeof accountHistory> = {
  platform: 'instagram',
  account_id: '17841405309211844',
  start_date: '2026-07-08',
  end_date: '2026-08-06',
  time_zone: 'America/Los_Angeles',
  days: [
    {
      ...{ date: '2026-08-05', followers: 1202, following: 87, posts_count: 311, impressions: 1612, reach: 702 },
      ...{ profile_views: null, website_clicks: null },
    },
  ],
};

const examplePlatformPost: z.input<typeof platformPost> = {
  publish_id: PUBLISH_ID,
  created_time: '2026-08-03T08:00:04.000Z',
  platform: 'instagram',
  caption: 'Fresh bread, every morning.',
  permalink_url: PAGE,
  title: '',
  thumbnail_url: '',
  media_url: 'https://images.example.com/bread.jpg',
  media_urls: ['https://images.example.com/bread.jpg'],
  alt_text: 'A loaf of bread',
  media_type: 'image',
  type: 'FEED',
  stats: statistics,
};

export const examplePlatformPosts: z.input<typeof platformPostPage> = {
  posts: [examplePlatformPost],
  next_cursor: null,
  total_count: null,
  unavailable_reason: null,
};

export const examplePlatformPostStats: z.input<typeof platformPostStats> = { ...examplePlatformPost, unavailable_reason: null };

export const examplePostStats: z.input<typeof postStats> = {
  post_id: EXAMPLE_IDS.post_id,
  results: [
    {
      integration_id: EXAMPLE_IDS.integration_id,
      platform: 'instagram',
      publish_id: PUBLISH_ID,
      stats: statistics,
      unavailable_reason: null,
    },
  ],
};

const range = {
  accounts: 1,
  followers: 1204,
  follower_growth: 38,
  impressions: 48211,
  profile_views: 903,
  website_clicks: 41,
  known_accounts: { followers: 1, follower_growth: 1, impressions: 1, profile_views: 1, website_clicks: 1 },
  posts: 12,
  engagements: 1840,
  post_impressions: 46010,
  engagement_rate: 0.04,
  days_with_data: 30,
};
const totals = { accounts: 1, current: range, previous: { ...range, followers: 1166, follower_growth: 21, impressions: 40127 } };

export const exampleSummary: z.input<typeof summary> = {
  start_date: '2026-07-07',
  end_date: '2026-08-05',
  previous_start_date: '2026-06-07',
  previous_end_date: '2026-07-06',
  total: totals,
  platforms: [{ platform: 'instagram', ...totals }],
};

export const exampleRankedPosts: z.input<typeof rankedPosts> = {
  items: [
    {
      post_id: EXAMPLE_IDS.post_id,
      integration_id: EXAMPLE_IDS.integration_id,
      platform: 'instagram',
      publish_id: PUBLISH_ID,
      post_url: PAGE,
      published_at: '2026-08-03T08:00:04.000Z',
      value: 182,
      age_hours: 72.4,
      stats: statistics,
    },
  ],
};

export const exampleBestTimes: z.input<typeof bestTimes> = {
  time_zone: 'Europe/Berlin',
  is_enough: true,
  posts: 64,
  least_posts: 20,
  since: '2026-02-01T07:00:00.000Z',
  hours: [
    { weekday: 'saturday', hour: 8, posts: 9, score: 1.61 },
    { weekday: 'tuesday', hour: 12, posts: 5, score: 0.94 },
    { weekday: 'monday', hour: 17, posts: 1, score: null },
  ],
};
