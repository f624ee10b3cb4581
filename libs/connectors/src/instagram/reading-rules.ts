import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'reach', description: 'Accounts that saw content of the account. Values of several days cannot be added.' },
  { name: 'views', description: 'How often content of the account was played or displayed.' },
  { name: 'accounts_engaged', description: 'Accounts that interacted with content of the account.' },
  { name: 'total_interactions', description: 'Likes, saves, comments, shares and replies together.' },
  { name: 'likes', description: 'Likes on content of the account.' },
  { name: 'comments', description: 'Comments on content of the account.' },
  { name: 'saves', description: 'How often content was saved.' },
  { name: 'shares', description: 'How often content was shared.' },
  { name: 'follows_and_unfollows', description: 'Accounts that followed or unfollowed.', isOptional: true },
  { name: 'profile_links_taps', description: 'Taps on the contact buttons of the profile.', isOptional: true },
];
export const DAYS = 30;

export const readingRules: ReadingRules = {
  metrics,
  rawMetrics: [
    { name: 'profile_views', description: 'Views of the profile, if Instagram still provides them.' },
    { name: 'website_clicks', description: 'Clicks on the website link of the profile, if Instagram still provides them.' },
  ],
  periods: ['day'],
  daysPerCall: DAYS,
  // The platform keeps statistics for two years before the time of the call. Midnight 730 days ago is earlier than that at any time of day, and days on which clocks
  // change are an hour longer.
  keptDays: 728,
  // The platform's own `end_time` is midnight there.
  timeZone: 'America/Los_Angeles',
  settledDays: 1,
  postsPerCall: 10,
  pageSize: 50,
  audience: ['age', 'gender', 'country', 'city'],
  freshSeconds: 900,
};
