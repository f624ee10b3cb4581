import type { AccountStats } from '@fanfare/contracts/analytics';
import { isoTime } from './required.ts';

const HINT =
  'To get the statistics of individual posts, list the posts of the account: GET /api/businesses/{business_id}/integrations/{integration_id}/posts.';

/** Statistics of an account. */
export function accountStatsFromProto(stats: AccountStats) {
  return {
    fetched_at: isoTime(stats.fetchedAt),
    platform: stats.platform,
    account_id: stats.accountId,
    page_id: stats.accountId,
    start_date: stats.start,
    end_date: stats.end,
    time_zone: stats.timeZone,
    followers: stats.followers ?? null,
    following: stats.following ?? null,
    posts_count: stats.postsCount ?? null,
    impressions: stats.impressions ?? null,
    reach: stats.reach ?? null,
    profile_views: stats.profileViews ?? null,
    website_clicks: stats.websiteClicks ?? null,
    audience_age_pct: given(stats.audienceAge),
    audience_gender_pct: given(stats.audienceGender),
    audience_country_pct: given(stats.audienceCountry),
    audience_city_pct: given(stats.audienceCity),
    audience_industry_pct: given(stats.audienceIndustry),
    audience_seniority_pct: given(stats.audienceSeniority),
    audience_function_pct: given(stats.audienceFunction),
    metrics:
      stats.metrics.length === 0
        ? null
        : stats.metrics.map(({ name, period, values }) => ({
            name,
            period,
            values: values.map(({ endTime, value }) => ({ end_time: isoTime(endTime), value: value ?? null })),
          })),
    raw_metrics: Object.fromEntries(stats.rawMetrics.map(({ name, value }) => [name, value ?? null])),
    unavailable_reason: stats.unavailableReason || null,
    post_stats_hint: HINT,
  };
}

const given = (shares: Readonly<Record<string, number>>) => (Object.keys(shares).length === 0 ? null : shares);
