import type { Quota } from '../quota.ts';
import { callsOver, type ReadCalls } from '../reading/read-calls.ts';
import { APP_READS, readsPerHour } from '../reading/reads-quota.ts';
import { readingRules } from './reading-rules.ts';

const source = 'developers.google.com/my-business/content/limits: 300 calls a minute for each project';

export const reads = readsPerHour(120, source);

/** The other half is left to publishing. */
export const appReads: Quota = { name: APP_READS, of: 'app', limit: 150, window: { everyMinute: true }, spentBy: 'call', source };

export const readCalls: ReadCalls = {
  account: (wanted) => callsOver(wanted, readingRules.daysPerCall),
  list: () => 1,
  posts: (count) => count,
};
