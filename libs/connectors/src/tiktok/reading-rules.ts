import type { ReadingRules } from '../reading/reading.ts';

const PAGE_SIZE = 20;

export const readingRules: ReadingRules = {
  metrics: [],
  periods: ['lifetime'],
  daysPerCall: 1,
  keptDays: 0,
  timeZone: 'UTC',
  settledDays: 0,
  postsPerCall: PAGE_SIZE,
  pageSize: PAGE_SIZE,
  freshSeconds: 300,
};
