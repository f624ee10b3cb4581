import type { Quota } from '@fanfare/connectors';

const HOUR_MS = 3_600_000;

/** For texts about a quota: `24 hours`. */
export function windowInWords(window: Quota['window']): string {
  if ('dayIn' in window) return 'a day';
  if ('everyMinute' in window) return 'a minute';
  return window.rollingMs === HOUR_MS ? 'an hour' : `${window.rollingMs / HOUR_MS} hours`;
}
