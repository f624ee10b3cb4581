import { readsPerHour } from '../reading/reads-quota.ts';

export const reads = readsPerHour(120, 'developers.google.com/my-business/content/limits: 300 calls a minute for each project');
