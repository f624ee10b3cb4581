import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'reach', description: 'Accounts that saw content of the account. Days cannot be added up.' },
  { name: 'views', description: 'Times that content of the account was played or displayed.' },
  { name: 'accounts_engaged', description: 'Accounts that interacted with content of the account.' },
  { name: 'total_interactions', description: 'Likes, saves, comments, shares and replies together.' },
  { name: 'likes', description: 'Likes of content of the account.' },
  { name: 'comments', description: 'Comments on content of the account.' },
  { name: 'saves', description: 'Times that content was saved.' },
  { name: 'shares', description: 'Times that content was shared.' },
  { name: 'follows_and_unfollows', description: 'Accounts that followed or unfollowed.', isOptional: true },
  { name: 'profile_links_taps', description: 'Taps on the contact buttons of the profile.', isOptional: true },
];
export const DAYS = 30;

export const readingRules: ReadingRules = {
  metrics,
  periods: ['day'],
  daysPerCall: DAYS,
  keptDays: 730,
  timeZone: 'UTC',
  settledDays: 1,
  postsPerCall: 10,
  pageSize: 50,
  freshSeconds: 900,
};
