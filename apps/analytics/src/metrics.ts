import { counter, readGauge } from '@fanfare/runtime';

export const liveReads = counter('fanfare_live_reads_total', 'Reads of statistics, by source of the response.', ['platform', 'from']);
export const platformReads = counter('fanfare_platform_reads_total', 'Reads of statistics from a platform, by outcome.', [
  'platform',
  'outcome',
]);
export const snapshotsTaken = counter('fanfare_snapshots_total', 'Snapshots, by subject and outcome.', ['of', 'platform', 'outcome']);
/** The metric to scale by. */
export const readSnapshotsDue = (count: () => Promise<number>) =>
  readGauge('fanfare_analytics_snapshots_due', 'Snapshots that are due and not taken yet.', count);
export const readSnapshotLag = (seconds: () => Promise<number>) =>
  readGauge('fanfare_analytics_snapshot_lag_seconds', 'How long the oldest due snapshot has been due.', seconds);
