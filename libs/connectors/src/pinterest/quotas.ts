import { readsPerHour } from '../reading/reads-quota.ts';

export const reads = readsPerHour(120, 'developers.pinterest.com/docs/reference/rate-limits');
