import type { ReadingRules } from '../reading/reading.ts';

export const readingRules: ReadingRules = {
  metrics: [],
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
