import type { ReadingRules } from '../reading/reading.ts';

const PAGE_SIZE = 20;

export const readingRules: ReadingRules = {
  metrics: [],
  rawMetrics: [
    { name: 'likes_count', description: 'Likes on all videos of the account.' },
    { name: 'video_count', description: 'Public videos of the account.' },
  ],
  periods: ['lifetime'],
  daysPerCall: 1,
  keptDays: 0,
  timeZone: 'UTC',
  settledDays: 0,
  postsPerCall: PAGE_SIZE,
  pageSize: PAGE_SIZE,
  freshSeconds: 300,
};
