import { readsPerHour } from '../reading/reads-quota.ts';

/** LinkedIn does not publish its limits, which end at midnight UTC. */
export const reads = readsPerHour(30, 'learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits');
