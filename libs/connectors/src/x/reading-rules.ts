import type { ReadingRules } from '../reading/reading.ts';

export const readingRules: ReadingRules = {
  metrics: [],
  rawMetrics: [
    { name: 'listed_count', description: 'Lists that include the account.' },
    { name: 'like_count', description: 'Posts that the account likes.' },
    { name: 'media_count', description: 'Posts of the account with media.' },
  ],
  periods: ['lifetime'],
  daysPerCall: 1,
  keptDays: 0,
  timeZone: 'UTC',
  settledDays: 0,
  postsPerCall: 100,
  pageSize: 100,
  freshSeconds: 3_600,
  chargesForReads: true,
};
