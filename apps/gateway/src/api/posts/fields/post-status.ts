import type { PostStatus } from '@fanfare/contracts/content';

/** As callers write them. */
export const POST_STATUSES = ['NEW', 'DRAFT', 'REJECTED', 'SCHEDULED', 'PUBLISHED'] as const;

export const statusToProto = (status: (typeof POST_STATUSES)[number]): PostStatus => `POST_STATUS_${status}`;
