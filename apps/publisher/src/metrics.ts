import { PLATFORMS } from '@fanfare/connectors';
import { counter, gauge, histogram, LAG_SECONDS, readGauge } from '@fanfare/runtime';

export const deliveriesEnded = counter('fanfare_deliveries_ended_total', 'Deliveries that ended, by outcome.', ['platform', 'outcome']);
export const deliveriesOperated = counter('fanfare_deliveries_operated_total', 'Deliveries that operators retried or released.', [
  'operation',
]);
export const deliveriesDeleted = counter('fanfare_deliveries_deleted_total', 'Ended deliveries that were deleted after their retention.');
export const deliverySteps = histogram('fanfare_delivery_step_seconds', 'Duration of the steps of deliveries.', [
  'platform',
  'step',
  'outcome',
]);
export const deliveriesInFlight = gauge('fanfare_deliveries_in_flight', 'Deliveries in progress in this process.');
/** The metric to scale by. */
export const readDueDeliveries = (count: () => Promise<number>) =>
  readGauge('fanfare_deliveries_due', 'Deliveries that are due or in progress, and not paused.', count);
export const readOpenDeliveries = (count: () => Promise<number>) =>
  readGauge('fanfare_deliveries_open', 'Deliveries that have not ended: due, in progress, waiting or paused.', count);
export const publishLag = histogram(
  'fanfare_publish_lag_seconds',
  'Time from when a post was due until it was published on the platform: the lag_ms of its result.',
  ['platform'],
  LAG_SECONDS,
);
export const ambiguousCommits = counter('fanfare_ambiguous_commits_total', 'Ambiguous commits, by the result of reconciling them.', [
  'platform',
  'finding',
]);
export const quotaReserved = counter(
  'fanfare_platform_quota_reserved_total',
  "Units that deliveries reserved of platforms' quotas; returned units are not subtracted.",
  ['platform', 'quota'],
);
export const quotaWaits = counter('fanfare_platform_quota_waits_total', 'Number of times a delivery had to wait for a quota.', [
  'platform',
  'quota',
]);
export const quotaRemaining = gauge(
  'fanfare_platform_quota_remaining',
  "Units that remain of our app's quota, as this process last read it.",
  ['platform', 'quota'],
);
export const platformBreakerOpen = gauge(
  'fanfare_platform_breaker_open',
  'Whether the circuit breaker of a platform is open (1) or closed (0).',
  ['platform'],
);
export const platformVersionRejected = gauge(
  'fanfare_platform_version_rejected',
  "1 for each version of a platform's API that the platform rejected since this process started: configure a later version.",
  ['platform', 'version'],
);
export const platformSlots = gauge(
  'fanfare_platform_slots',
  'Maximum number of concurrent deliveries to a platform in this process; lower while the platform fails or hangs.',
  ['platform'],
);
export const tokenRefreshes = counter('fanfare_token_refreshes_total', 'Token refreshes, by outcome.', ['platform', 'outcome']);
export const removalsEnded = counter('fanfare_removals_ended_total', 'Removals of published posts that ended, by outcome.', [
  'platform',
  'outcome',
]);
export const removalCalls = histogram('fanfare_removal_call_seconds', 'Duration of the calls that delete published posts.', [
  'platform',
  'outcome',
]);

/** Reported before the first one: an alert sees a counter grow, and nothing when it begins with the first failure. */
for (const platform of PLATFORMS) {
  deliveriesEnded.inc({ platform, outcome: 'unknown_outcome' }, 0);
  tokenRefreshes.inc({ platform, outcome: 'token_expired' }, 0);
}
