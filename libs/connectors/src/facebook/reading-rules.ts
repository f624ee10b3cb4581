import type { Metric, ReadingRules } from '../reading/reading.ts';

/** Meta withdrew `page_impressions`, `page_fans` and their relatives in 2025 and 2026; these replace them. */
const metrics: readonly Metric[] = [
  { name: 'page_media_view', description: 'How often content of the page was played or displayed.' },
  {
    name: 'page_total_media_view_unique',
    description: 'People who saw content of the page. Values of several days cannot be added.',
    hasNoTotal: true,
  },
  { name: 'page_views_total', description: 'How often the profile of the page was viewed.' },
  { name: 'page_post_engagements', description: 'Reactions, comments, shares and clicks on posts of the page.' },
  { name: 'page_video_views', description: 'How often videos of the page were played for at least 3 seconds.' },
  { name: 'page_follows', description: 'Followers of the page.' },
  { name: 'page_daily_follows_unique', description: 'People who followed the page.', hasNoTotal: true },
  { name: 'page_daily_unfollows_unique', description: 'People who unfollowed the page.', hasNoTotal: true },
  { name: 'page_total_actions', description: "Clicks on the page's contact details and call-to-action button.", isOptional: true },
];

export const readingRules: ReadingRules = {
  metrics,
  periods: ['day', 'week', 'days_28'],
  daysPerCall: 90,
  // The platform keeps statistics for two years before the time of the call, and compares with midnight UTC. A day in Los Angeles begins up to eight hours later.
  keptDays: 728,
  timeZone: 'America/Los_Angeles',
  settledDays: 1,
  postsPerCall: 10,
  pageSize: 100,
  // Page insights are updated once a day, reactions at once.
  freshSeconds: 900,
};
