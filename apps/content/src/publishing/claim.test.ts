import type { PostDocument, ResultDocument } from '../posts/post.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { claim, type ClaimRequest } from './claim.ts';

const now = new Date('2026-08-06T10:00:00Z');

const aPost = (more: Partial<PostDocument> = {}): PostDocument => ({
  _id: 'post',
  organization_id: 'org',
  business_id: 'business',
  created_at: now,
  updated_at: now,
  revision: 3,
  caption: 'Hello',
  status: 'POST_STATUS_NEW',
  verdict: 'POST_STATUS_NEW',
  media: [],
  restrict_publish_to: [],
  restrict_publish_to_integration_ids: [],
  metadata: [],
  platform_overrides: [],
  publish_results: [],
  publication_ids: [],
  ...more,
});

const anAccount = (id: string, platform: string, more: Partial<IntegrationDocument> = {}): IntegrationDocument => ({
  _id: id,
  organization_id: 'org',
  business_id: 'business',
  platform,
  status: 'INTEGRATION_STATUS_CONNECTED',
  revision: 1,
  ...more,
});

const aResult = (integrationId: string, more: Partial<ResultDocument> = {}): ResultDocument => ({
  deliveryId: `old-${integrationId}`,
  publicationId: 'old',
  platform: 'x',
  integrationId,
  status: 'PUBLISH_RESULT_STATUS_FAILED',
  publishId: undefined,
  postUrl: undefined,
  errorType: undefined,
  errorMessage: undefined,
  updatedAt: now,
  attempts: 1,
  lagMs: undefined,
  warnings: [],
  waiting: undefined,
  revision: 2,
  dueAt: now,
  ...more,
});

const aRequest = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  publicationId: 'new',
  restriction: { platforms: [], integrationIds: [] },
  confirmNotPublished: false,
  deliveryId: (id) => `new-${id}`,
  dueAt: now,
  ...more,
});

const accounts = [
  anAccount('fb', 'facebook'),
  anAccount('x1', 'x'),
  anAccount('x2', 'x'),
  anAccount('disconnected', 'instagram', { status: 'INTEGRATION_STATUS_DISCONNECTED' }),
];
const targetsOf = (post: PostDocument, request = aRequest(), among = accounts) => {
  const decision = claim(post, among, request, now);
  return decision.kind === 'claimed' ? decision.targets.map(({ integrationId }) => integrationId) : decision.kind;
};

test('without a restriction every connected account gets a delivery and a pending result', () => {
  const decision = claim(aPost(), accounts, aRequest(), now);
  if (decision.kind !== 'claimed') throw new Error(decision.kind);
  expect(decision.targets.map(({ deliveryId }) => deliveryId)).toEqual(['new-fb', 'new-x1', 'new-x2']);
  expect(decision.post.publish_results.map(({ integrationId, status }) => [integrationId, status])).toEqual([
    ['fb', 'PUBLISH_RESULT_STATUS_PENDING'],
    ['x1', 'PUBLISH_RESULT_STATUS_PENDING'],
    ['x2', 'PUBLISH_RESULT_STATUS_PENDING'],
  ]);
  expect(decision.post.revision).toBe(4);
});

test('accounts take precedence over platforms, and the call over the post', () => {
  expect(targetsOf(aPost({ restrict_publish_to: ['x'] }))).toEqual(['x1', 'x2']);
  expect(targetsOf(aPost({ restrict_publish_to: ['x'], restrict_publish_to_integration_ids: ['x2'] }))).toEqual(['x2']);
  expect(
    targetsOf(aPost({ restrict_publish_to: ['x'] }), aRequest({ restriction: { platforms: ['facebook'], integrationIds: [] } })),
  ).toEqual(['fb']);
});

test('a target that is named but not connected gets a failed result, and the others are sent', () => {
  const decision = claim(aPost({ restrict_publish_to: ['x', 'instagram'] }), accounts, aRequest(), now);
  if (decision.kind !== 'claimed') throw new Error(decision.kind);
  expect(decision.post.publish_results.at(-1)).toMatchObject({
    platform: 'instagram',
    status: 'PUBLISH_RESULT_STATUS_FAILED',
    errorType: 'permission_denied',
  });
});

test('nothing is claimed while the post is being published, or for a publication that it has already', () => {
  expect(targetsOf(aPost({ publish_results: [aResult('x1', { status: 'PUBLISH_RESULT_STATUS_PROCESSING' })] }))).toBe('nothing_to_do');
  expect(targetsOf(aPost({ publication_ids: ['new'] }))).toBe('nothing_to_do');
});

describe('while the post is being published to some accounts', () => {
  const pending = aResult('x1', { status: 'PUBLISH_RESULT_STATUS_PENDING' });
  const failed = aResult('x2');
  const to = (...platforms: string[]) => aRequest({ restriction: { platforms, integrationIds: [] } });

  test('a call that names other accounts publishes to those, and leaves the first ones alone', () => {
    expect(targetsOf(aPost({ publish_results: [pending] }), to('facebook'))).toEqual(['fb']);
    expect(targetsOf(aPost({ publish_results: [pending] }), to('facebook', 'x'))).toEqual(['fb', 'x2']);
  });

  test('a call without accounts publishes a scheduled post to the rest', () => {
    const post = aPost({ publish_results: [pending], early_integration_ids: ['x1'], next_due_at: new Date(now.getTime() + 60_000) });
    expect(targetsOf(post)).toEqual(['fb', 'x2']);
    expect(targetsOf({ ...post, next_due_at: undefined } as unknown as PostDocument)).toBe('nothing_to_do');
  });

  test('no account is published to a second time, because the call may be a repeat', () => {
    const post = aPost({ publish_results: [pending, failed] });
    expect(targetsOf(post, to('x'))).toBe('nothing_to_do');
    const ofFailed = aRequest({ restriction: { platforms: [], integrationIds: ['x2'] } });
    expect(() => targetsOf(post, ofFailed)).toThrow(/being published to other accounts/);
  });
});

test('a due claim happens only while the post still waits for that time', () => {
  const scheduledFor = new Date(now.getTime() - 1_000);
  expect(targetsOf(aPost({ next_due_at: scheduledFor }), aRequest({ scheduledFor }))).toEqual(['fb', 'x1', 'x2']);
  expect(targetsOf(aPost({ next_due_at: now }), aRequest({ scheduledFor }))).toBe('nothing_to_do');
  expect(targetsOf(aPost(), aRequest({ scheduledFor }))).toBe('nothing_to_do');
});

test('publishing again sends only to targets that failed or are new; a success keeps its result', () => {
  const post = aPost({
    status: 'POST_STATUS_PUBLISHED',
    publication_ids: ['old'],
    publish_results: [aResult('x1', { status: 'PUBLISH_RESULT_STATUS_SUCCESS', publishId: '1' }), aResult('x2')],
  });
  const decision = claim(post, accounts, aRequest(), now);
  if (decision.kind !== 'claimed') throw new Error(decision.kind);
  expect(decision.targets.map(({ integrationId }) => integrationId)).toEqual(['fb', 'x2']);
  expect(decision.post.publish_results.map(({ deliveryId }) => deliveryId)).toEqual(['old-x1', 'new-fb', 'new-x2']);
});

test('an unknown outcome is sent again only with confirm_not_published', () => {
  const post = aPost({
    restrict_publish_to_integration_ids: ['x1'],
    publication_ids: ['old'],
    publish_results: [aResult('x1', { errorType: 'unknown_outcome' })],
  });
  expect(() => targetsOf(post)).toThrow('confirm_not_published');
  expect(targetsOf(post, aRequest({ confirmNotPublished: true }))).toEqual(['x1']);
});

test.each([
  ['no account is connected', aPost({ restrict_publish_to: ['tiktok'] }), 'invalid_request', 'No TikTok account is connected.'],
  [
    'every target has the post',
    aPost({
      restrict_publish_to_integration_ids: ['x1'],
      publication_ids: ['old'],
      publish_results: [aResult('x1', { status: 'PUBLISH_RESULT_STATUS_SUCCESS' })],
    }),
    'conflict',
    'This post is already published to every account that the request selects.',
  ],
  [
    'every connected target has the post, and another is not connected',
    aPost({
      restrict_publish_to: ['x', 'tiktok'],
      publication_ids: ['old'],
      publish_results: [
        aResult('x1', { status: 'PUBLISH_RESULT_STATUS_SUCCESS' }),
        aResult('x2', { status: 'PUBLISH_RESULT_STATUS_SUCCESS' }),
      ],
    }),
    'conflict',
    'to every connected account that the request selects. No TikTok account is connected.',
  ],
  ['the post records one from elsewhere', aPost({ status: 'POST_STATUS_PUBLISHED' }), 'conflict', 'published elsewhere'],
])('publishing is rejected because %s', (_why, post, code, detail) => {
  expect(() => targetsOf(post)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(detail) }));
});

test('an account whose access has ended is a target: its result says so, unless it is reconnected before its delivery', () => {
  const among = [...accounts, anAccount('ended', 'linkedin', { status: 'INTEGRATION_STATUS_EXPIRED' })];
  expect(targetsOf(aPost(), aRequest(), among)).toEqual(['fb', 'x1', 'x2', 'ended']);
  expect(targetsOf(aPost({ restrict_publish_to: ['linkedin'] }), aRequest(), among)).toEqual(['ended']);
  expect(targetsOf(aPost({ restrict_publish_to_integration_ids: ['ended'] }), aRequest(), among)).toEqual(['ended']);
});

test('publishing is rejected if no account is connected', () => {
  expect(() => claim(aPost({}), [], aRequest(), now)).toThrow('No account is connected to this business.');
});

test('publishing is rejected if the post has no content: no caption, media, design, link or override', () => {
  expect(() => targetsOf(aPost({ caption: ' ' }))).toThrow(expect.objectContaining({ code: 'missing_field', param: 'caption' }));
});
