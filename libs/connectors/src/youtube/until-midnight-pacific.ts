import { Cron } from 'croner';
import type { PlatformResponse } from '../calls/http.ts';
import { QUOTA_DELAY_MS } from './limits.ts';

/** Milliseconds until YouTube's day ends, by its own clock: quotas reset at midnight in California. */
export function untilMidnightPacific({ headers }: Pick<PlatformResponse, 'headers'>): number {
  const now = Date.parse(headers.date ?? '');
  if (Number.isNaN(now)) return QUOTA_DELAY_MS;
  const midnight = new Cron('0 0 * * *', { timezone: 'America/Los_Angeles' }).nextRun(new Date(now));
  return midnight === null ? QUOTA_DELAY_MS : midnight.getTime() - now;
}
