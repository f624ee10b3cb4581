import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'impressionCount', description: 'How often posts of the page were shown.' },
  { name: 'clickCount', description: 'Clicks on posts of the page.' },
  { name: 'likeCount', description: 'Reactions to posts of the page.' },
  { name: 'commentCount', description: 'Comments on posts of the page.' },
  { name: 'shareCount', description: 'Reposts of posts of the page.' },
  { name: 'engagement', description: 'Clicks, reactions, comments and reposts per impression.', unit: 'ratio', hasNoTotal: true },
  { name: 'organicFollowerGain', description: 'New followers without advertising.' },
  { name: 'paidFollowerGain', description: 'New followers from advertising.', isOptional: true },
  { name: 'allPageViews', description: 'Views of the page.' },
];
/** LinkedIn keeps twelve months. */
export const DAYS = 365;
const MAX_PAGE = 100;

export const readingRules: ReadingRules = {
  metrics,
  periods: ['day'],
  daysPerCall: DAYS,
  keptDays: DAYS,
  timeZone: 'UTC',
  settledDays: 2,
  postsPerCall: 20,
  pageSize: MAX_PAGE,
  audience: ['country', 'industry', 'seniority', 'function'],
  freshSeconds: 1_800,
};
