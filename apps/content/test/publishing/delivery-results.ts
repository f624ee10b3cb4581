import type { Post } from '@fanfare/contracts/content';

/** What the publisher reports of a delivery. */
export const SUCCESS = {
  status: 'DELIVERY_STATUS_SUCCESS',
  publishId: '17',
  postUrl: 'https://x.com/17',
  publishedAt: new Date(),
  attempts: 1,
} as const;
export const FAILURE = {
  status: 'DELIVERY_STATUS_FAILED',
  errorType: 'validation_failed',
  errorMessage: 'Too long.',
  attempts: 1,
} as const;
export const PROCESSING = { status: 'DELIVERY_STATUS_PROCESSING' } as const;

export const deliveryOf = (post: Post, index: number): string => post.publishResults[index]?.deliveryId ?? '';
export const statuses = (post: Post) => post.publishResults.map(({ status }) => status.replace('PUBLISH_RESULT_STATUS_', ''));
