import { counter, histogram } from '@fanfare/runtime';

export const postsCreated = counter('fanfare_posts_created_total', 'Posts created, by initial status.', ['status']);
export const publicationsClaimed = counter('fanfare_publications_claimed_total', 'Posts claimed for publishing.');
export const dueLag = histogram('fanfare_due_lag_seconds', 'Time from when a scheduled post was due until it was claimed.');
export const dueClaimsFailed = counter(
  'fanfare_due_claims_failed_total',
  'Failed attempts to claim a due post because of an internal error.',
);
