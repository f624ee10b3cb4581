import type { Metric, ReadingRules } from '../reading/reading.ts';

/** Meta withdrew `page_impressions`, `page_fans` and their relatives in 2025 and 2026; these replace them. */
const metrics: readonly Metric[] = [
  { name: 'page_media_view', description: 'Times that content of the page was played or displayed.' },
  { name: 'page_total_media_view_unique', description: 'People who saw content of the page. Days cannot be added up.' },
  { name: 'page_views_total', description: 'Times that the profile of the page was viewed.' },
  { name: 'page_post_engagements', description: 'Reactions, comments, shares and clicks on posts of the page.' },
  { name: 'page_video_views', description: 'Times that videos of the page were played for at least 3 seconds.' },
  { name: 'page_follows', description: 'Followers of the page.' },
  { name: 'page_daily_follows_unique', description: 'People who followed the page.' },
  { name: 'page_daily_unfollows_unique', description: 'People who unfollowed the page.' },
  { name: 'page_total_actions', description: "Clicks on the page's contact details and call-to-action button.", isOptional: true },
];

export const readingRules: ReadingRules = {
  metrics,
  periods: ['day', 'week', 'days_28'],
  daysPerCall: 90,
  keptDays: 730,
  timeZone: 'America/Los_Angeles',
  settledDays: 1,
  postsPerCall: 10,
  pageSize: 100,
  // Page insights are updated once a day, reactions at once.
  freshSeconds: 900,
};
