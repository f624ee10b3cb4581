import type { PublishStatus } from '@fanfare/contracts/content';

/** How publishing a post went in all, as callers see it. */
export const PUBLISH_STATUSES = ['sending', 'succeeded', 'partially_failed', 'failed', 'in_doubt'] as const;

export const publishStatusToProto = (status: (typeof PUBLISH_STATUSES)[number]): PublishStatus =>
  `PUBLISH_STATUS_${status.toUpperCase() as Uppercase<typeof status>}`;
