export { daysAfter, daysIn, daysOf } from './day-range.ts';
export { UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from './statistics.ts';
export { isForbidden } from './read-partly.ts';
export { ONE_CALL, type ReadCalls } from './read-calls.ts';
export { APP_READS, READS } from './reads-quota.ts';
export { PERIODS } from './reading.ts';
export type * from './reading.ts';
