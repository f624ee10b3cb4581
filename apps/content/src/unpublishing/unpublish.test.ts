import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { applyRemoval } from './apply-removal.ts';
import { changesOfRemovals, unpublish, type UnpublishRequest } from './unpublish.ts';

const at = new Date('2026-08-06T10:00:00Z');
const later = new Date('2026-08-06T10:05:00Z');

const aResult = (platform: string, more: Partial<ResultDocument> = {}): ResultDocument => ({
  deliveryId: `delivery-${platform}`,
  publicationId: 'p',
  platform,
  integrationId: `account-${platform}`,
  status: 'PUBLISH_RESULT_STATUS_SUCCESS',
  publishId: `post-${platform}`,
  postUrl: `https://${platform}.example/1`,
  errorType: undefined,
  errorMessage: undefined,
  updatedAt: at,
  attempts: 1,
  lagMs: 5,
  waiting: undefined,
  revision: 2,
  dueAt: at,
  ...more,
});
const FAILED = { status: 'PUBLISH_RESULT_STATUS_FAILED', errorType: 'validation_failed', publishId: undefined } as const;
const IN_DOUBT = { ...FAILED, errorType: 'unknown_outcome' } as const;

const aPost = (...publish_results: ResultDocument[]): PostDocument => ({
  _id: 'post',
  organization_id: 'org',
  business_id: 'business',
  created_at: at,
  updated_at: at,
  revision: 4,
  caption: 'Hello',
  status: 'POST_STATUS_PUBLISHED',
  verdict: 'POST_STATUS_DRAFT',
  media: [],
  restrict_publish_to: [],
  restrict_publish_to_integration_ids: [],
  metadata: [],
  platform_overrides: [],
  publish_results,
  publication_ids: ['p'],
});

const request = (restriction: Partial<UnpublishRequest['restriction']> = {}, operation = 'o'): UnpublishRequest => ({
  restriction: { platforms: [], integrationIds: [], ...restriction },
  removalId: (deliveryId) => `${operation}/${deliveryId}`,
});
function requested(post: PostDocument, unpublishRequest = request()) {
  const decision = unpublish(post, unpublishRequest, later);
  if (decision.kind === 'nothing_to_do') throw new Error('Nothing to do.');
  return decision;
}
const removalsOf = ({ publish_results }: PostDocument) =>
  Object.fromEntries(publish_results.map(({ platform, removal }) => [platform, removal?.status.replace('REMOVAL_STATUS_', '')]));
const changed = (removalId: string, more: object) => ({
  ...{ removalId, deliveryId: '', postId: 'post', organizationId: 'org', businessId: 'business', integrationId: '', platform: 'x' },
  ...{ status: 'REMOVAL_STATUS_REMOVED' as const, errorType: undefined, detail: undefined, ...more },
});

test('every target that has the post gets a removal, and the results and the post keep their status', () => {
  const { post, removals } = requested(aPost(aResult('facebook'), aResult('x'), aResult('linkedin', FAILED)));
  expect(removalsOf(post)).toEqual({ facebook: 'PENDING', x: 'PENDING', linkedin: undefined });
  expect(removals).toEqual(
    ['facebook', 'x'].map((platform) => ({
      removalId: `o/delivery-${platform}`,
      deliveryId: `delivery-${platform}`,
      integrationId: `account-${platform}`,
      platform,
      publishId: `post-${platform}`,
    })),
  );
  expect(post).toMatchObject({ status: 'POST_STATUS_PUBLISHED', revision: 5, updated_at: later });
  expect(post.publish_results.map(({ status }) => status)).toEqual(
    aPost(aResult('x'), aResult('x'), aResult('x', FAILED)).publish_results.map(({ status }) => status),
  );
});

test.each([
  [{ platforms: ['x'] }, ['x']],
  [{ integrationIds: ['account-facebook'] }, ['facebook']],
  [{ platforms: ['x'], integrationIds: ['account-facebook'] }, ['facebook']],
])('%j selects %s', (restriction, platforms) => {
  const { removals } = requested(aPost(aResult('facebook'), aResult('x')), request(restriction));
  expect(removals.map(({ platform }) => platform)).toEqual(platforms);
});

test('platforms whose API cannot delete posts are reported at once, and nothing is requested of them', () => {
  const { post, removals } = requested(aPost(aResult('instagram'), aResult('tiktok')));
  expect(removals).toEqual([]);
  expect(removalsOf(post)).toEqual({ instagram: 'NOT_SUPPORTED', tiktok: 'NOT_SUPPORTED' });
  expect(post.publish_results[0]?.removal?.detail).toBe('Instagram does not let apps delete posts. A person has to delete it there.');
  expect(changesOfRemovals(post)).toContain('POST_CHANGE_UNPUBLISHED');
});

test('a target in doubt is not removed, and its removal says why', () => {
  const { post, removals } = requested(aPost(aResult('x'), aResult('linkedin', IN_DOUBT)));
  expect(removals.map(({ platform }) => platform)).toEqual(['x']);
  expect(post.publish_results[1]?.removal).toMatchObject({
    status: 'REMOVAL_STATUS_FAILED',
    errorType: 'unknown_outcome',
    detail: expect.stringContaining('It is unknown whether the platform has this post') as string,
  });
});

test.each([
  [
    'while the post is being published',
    [aResult('x'), aResult('facebook', { status: 'PUBLISH_RESULT_STATUS_PROCESSING' })],
    {},
    'being published',
  ],
  ['of a post that was never sent', [], {}, 'not published on any account'],
  ['if every target failed', [aResult('x', FAILED)], {}, 'not published on any account'],
  ['if the selected target failed', [aResult('x', FAILED), aResult('facebook')], { platforms: ['x'] }, 'published on no account'],
  ['if only targets in doubt are selected', [aResult('x', IN_DOUBT), aResult('facebook')], { platforms: ['x'] }, 'It is unknown whether'],
] as const)('unpublishing is a conflict %s', (_when, results, restriction, detail) => {
  expect(() => unpublish(aPost(...results), request(restriction), later)).toThrow(
    expect.objectContaining({ code: 'conflict', detail: expect.stringContaining(detail) as string }) as Error,
  );
});

test('another call does nothing for targets that are removed, pending or not supported', () => {
  const { post } = requested(aPost(aResult('x'), aResult('facebook'), aResult('tiktok')));
  expect(unpublish(post, request({}, 'again'), later)).toEqual({ kind: 'nothing_to_do' });
  const removed = applyRemoval(post, changed('o/delivery-x', {}), 1, later);
  expect(removed && removalsOf(removed)).toEqual({ x: 'REMOVED', facebook: 'PENDING', tiktok: 'NOT_SUPPORTED' });
  expect(removed && unpublish(removed, request({}, 'again'), later)).toEqual({ kind: 'nothing_to_do' });
});

test('a failed removal is requested again, and events about the former one change nothing', () => {
  const { post } = requested(aPost(aResult('x')));
  const failed = applyRemoval(post, changed('o/delivery-x', { status: 'REMOVAL_STATUS_FAILED', errorType: 'permission_denied' }), 1, later);
  if (!failed) throw new Error('Not applied.');
  const again = requested(failed, request({}, 'again'));
  expect(again.removals).toMatchObject([{ removalId: 'again/delivery-x' }]);
  expect(again.post.publish_results[0]?.removal).toMatchObject({ status: 'REMOVAL_STATUS_PENDING', errorType: undefined });
  expect(applyRemoval(again.post, changed('o/delivery-x', {}), 9, later)).toBeUndefined();
});

test('older revisions change nothing, and the unpublish ends with the last removal', () => {
  const { post } = requested(aPost(aResult('x'), aResult('facebook')));
  const waiting = applyRemoval(post, changed('o/delivery-x', { status: 'REMOVAL_STATUS_PENDING', detail: 'Too many requests' }), 1, later);
  if (!waiting) throw new Error('Not applied.');
  expect(waiting.publish_results[0]?.removal).toMatchObject({ detail: 'Too many requests', revision: 1 });
  expect(applyRemoval(waiting, changed('o/delivery-x', {}), 1, later)).toBeUndefined();
  const one = applyRemoval(waiting, changed('o/delivery-x', {}), 2, later);
  if (!one) throw new Error('Not applied.');
  expect(changesOfRemovals(one)).toEqual(['POST_CHANGE_REMOVAL_CHANGED']);
  const both = applyRemoval(one, changed('o/delivery-facebook', {}), 1, later);
  expect(both && changesOfRemovals(both)).toEqual(['POST_CHANGE_REMOVAL_CHANGED', 'POST_CHANGE_UNPUBLISHED']);
  expect(both).toMatchObject({ status: 'POST_STATUS_PUBLISHED', publish_results: [{ status: 'PUBLISH_RESULT_STATUS_SUCCESS' }, {}] });
});
