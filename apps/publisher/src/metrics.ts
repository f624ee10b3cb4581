import { counter, gauge, histogram, readGauge } from '@fanfare/runtime';

export const deliveriesEnded = counter('fanfare_deliveries_ended_total', 'Deliveries that ended, by how.', ['platform', 'outcome']);
export const deliverySteps = histogram('fanfare_delivery_step_seconds', 'Steps of deliveries.', ['platform', 'step', 'outcome']);
export const deliveriesInFlight = gauge('fanfare_deliveries_in_flight', 'Deliveries that this process works on now.');
/** What there is to scale by. */
export const readOpenDeliveries = (count: () => Promise<number>) =>
  readGauge('fanfare_deliveries_open', 'Deliveries that have not ended: due, under way, waiting or held.', count);
export const publishLag = histogram('fanfare_publish_lag_seconds', 'From when a post was due to when the platform had it.', ['platform']);
export const ambiguousCommits = counter('fanfare_lost_commits_total', 'Commits whose answer was lost, by what reading the platform told.', [
  'platform',
  'finding',
]);
export const quotaSpent = counter(
  'fanfare_platform_budget_spent_total',
  "What deliveries reserved of platforms' quotas; what was returned is not subtracted.",
  ['platform', 'budget'],
);
export const quotaWaits = counter('fanfare_platform_budget_waits_total', 'How often a delivery had to wait for a quota.', [
  'platform',
  'budget',
]);
export const quotaLeft = gauge('fanfare_platform_budget_left', "What is left of our app's quota, as this process last saw it.", [
  'platform',
  'budget',
]);
export const platformBreakerOpen = gauge('fanfare_platform_breaker_open', 'Whether calls to a platform are refused at once.', ['platform']);
export const platformSlots = gauge(
  'fanfare_platform_places',
  'How many deliveries to a platform this process carries at once at most: fewer while the platform fails or hangs.',
  ['platform'],
);
export const tokenRefreshes = counter('fanfare_token_refreshes_total', 'Refreshes of tokens, by how they ended.', ['platform', 'outcome']);
