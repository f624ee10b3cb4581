export { daysAfter, daysIn, daysOf } from './day-range.ts';
export { UNKNOWN_AUDIENCE, UNKNOWN_STATISTICS, UNKNOWN_TOTALS } from './statistics.ts';
export { READS } from './reads-quota.ts';
export { PERIODS } from './reading.ts';
export type * from './reading.ts';
