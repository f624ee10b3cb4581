import type { PostStatus } from '@fanfare/contracts/content';

/** The status values in the API. */
export const POST_STATUSES = ['NEW', 'DRAFT', 'REJECTED', 'SCHEDULED', 'PUBLISHED'] as const;

export const statusToProto = (status: (typeof POST_STATUSES)[number]): PostStatus => `POST_STATUS_${status}`;
