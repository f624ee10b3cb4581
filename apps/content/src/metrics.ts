import { counter, histogram, LAG_SECONDS } from '@fanfare/runtime';

export const postsCreated = counter('fanfare_posts_created_total', 'Posts created, by initial status.', ['status']);
export const publicationsClaimed = counter('fanfare_publications_claimed_total', 'Posts claimed for publishing.');
export const dueLag = histogram(
  'fanfare_due_lag_seconds',
  'Time from when a scheduled post was due until it was claimed.',
  [],
  LAG_SECONDS,
);
export const misfires = counter(
  'fanfare_misfires_total',
  'Scheduled posts that were claimed later than the misfire threshold: published_late, skipped or held.',
  ['outcome'],
);
export const queueSlots = counter(
  'fanfare_queue_slots_total',
  'Slots of queues, by outcome: sent; missed: too late; behind: the post of an earlier slot waits; empty: the queue had no post; busy: its first post is being published already; closed: its business is being deleted.',
  ['outcome'],
);
export const dueClaimsFailed = counter(
  'fanfare_due_claims_failed_total',
  'Failed attempts to claim a due post or a slot of a queue because of an internal error.',
);
