import type { PublishStatus } from '@fanfare/contracts/content';

/** The overall publish status of a post, with its values in the API. */
export const PUBLISH_STATUSES = ['sending', 'succeeded', 'partially_failed', 'failed', 'in_doubt'] as const;

export const publishStatusToProto = (status: (typeof PUBLISH_STATUSES)[number]): PublishStatus =>
  `PUBLISH_STATUS_${status.toUpperCase() as Uppercase<typeof status>}`;
