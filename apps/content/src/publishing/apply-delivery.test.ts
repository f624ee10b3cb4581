import { DeliveryChanged } from '@fanfare/contracts/publisher/events';
import type { PostDocument } from '../posts/post.ts';
import { applyDelivery } from './apply-delivery.ts';

const due = new Date('2026-08-06T10:00:00Z');
const later = new Date('2026-08-06T10:00:02Z');

const aResult = (deliveryId: string) => ({
  deliveryId,
  publicationId: 'p',
  platform: 'x',
  integrationId: `account-${deliveryId}`,
  status: 'PUBLISH_RESULT_STATUS_PENDING' as const,
  publishId: undefined,
  postUrl: undefined,
  errorType: undefined,
  errorMessage: undefined,
  updatedAt: due,
  attempts: 0,
  lagMs: undefined,
  warnings: [],
  waiting: undefined,
  revision: 0,
  dueAt: due,
});

const aPostBeingPublished = (): PostDocument => ({
  _id: 'post',
  organization_id: 'org',
  business_id: 'business',
  created_at: due,
  updated_at: due,
  revision: 2,
  caption: 'Hello',
  status: 'POST_STATUS_SCHEDULED',
  verdict: 'POST_STATUS_DRAFT',
  media: [],
  restrict_publish_to: [],
  restrict_publish_to_integration_ids: [],
  scheduled_publish_time: due,
  metadata: [],
  platform_overrides: [],
  publish_results: [aResult('a'), aResult('b')],
  publication_ids: ['p'],
});

const changeOf = (deliveryId: string, more: Partial<DeliveryChanged>) =>
  DeliveryChanged.fromPartial({ deliveryId, status: 'DELIVERY_STATUS_PROCESSING', ...more });
const success = {
  status: 'DELIVERY_STATUS_SUCCESS',
  publishId: '17',
  postUrl: 'https://x.com/a/status/17',
  publishedAt: later,
  attempts: 1,
} as const;
const failure = { status: 'DELIVERY_STATUS_FAILED', errorType: 'validation_failed', errorMessage: 'Too long.', attempts: 1 } as const;

test('the first success makes the post published, with the time at which the platform had it and the lag', () => {
  const post = applyDelivery(aPostBeingPublished(), changeOf('a', success), 2, later);
  expect(post).toMatchObject({ status: 'POST_STATUS_PUBLISHED', published_at: later, revision: 3 });
  expect(post).not.toHaveProperty('scheduled_publish_time');
  expect(post?.publish_results[0]).toMatchObject({ status: 'PUBLISH_RESULT_STATUS_SUCCESS', publishId: '17', lagMs: 2000 });
});

test('a failure of another target does not change the published status', () => {
  const published = applyDelivery(aPostBeingPublished(), changeOf('a', success), 2, later) as PostDocument;
  expect(applyDelivery(published, changeOf('b', failure), 2, later)).toMatchObject({
    status: 'POST_STATUS_PUBLISHED',
    published_at: later,
  });
});

test('when all targets have failed, the post returns to its previous status', () => {
  const half = applyDelivery(aPostBeingPublished(), changeOf('a', failure), 2, later) as PostDocument;
  expect(half.status).toBe('POST_STATUS_SCHEDULED');
  const post = applyDelivery(half, changeOf('b', failure), 2, later);
  expect(post).toMatchObject({ status: 'POST_STATUS_DRAFT' });
  expect(post?.publish_results.map(({ errorType }) => errorType)).toEqual(['validation_failed', 'validation_failed']);
});

test('older events, and events of a replaced delivery, change nothing', () => {
  const post = applyDelivery(aPostBeingPublished(), changeOf('a', success), 2, later) as PostDocument;
  expect(applyDelivery(post, changeOf('a', {}), 1, later)).toBeUndefined();
  expect(applyDelivery(post, changeOf('a', success), 2, later)).toBeUndefined();
  expect(applyDelivery(post, changeOf('replaced', success), 5, later)).toBeUndefined();
});

test('what a delivery waits for is shown only while it waits; its warnings stay', () => {
  const waiting = { reason: 'rate_limited', until: later, message: 'Slow down.' };
  const waits = applyDelivery(aPostBeingPublished(), changeOf('a', { waiting }), 1, later) as PostDocument;
  expect(waits.publish_results[0]).toMatchObject({ status: 'PUBLISH_RESULT_STATUS_PROCESSING', waiting });
  const warnings = ['Add first comment: Rejected.'];
  const done = applyDelivery(waits, changeOf('a', { ...success, warnings }), 2, later);
  expect(done?.publish_results[0]).toMatchObject({ waiting: undefined, warnings });
});
