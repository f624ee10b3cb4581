import type { MisfirePolicy } from '@fanfare/contracts/content';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { claim, type ClaimRequest } from '../publishing/claim.ts';
import { latenessOf, type MisfireRules } from './misfire.ts';

const DUE = new Date('2026-08-06T10:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const after = (ms: number) => new Date(DUE.getTime() + ms);
const policyNamed = (name: string) => `MISFIRE_POLICY_${name.toUpperCase()}` as MisfirePolicy;
const rules = (policy = 'publish_late', more: Partial<MisfireRules> = {}): MisfireRules => ({
  ...{ policy: policyNamed(policy), thresholdMs: MINUTE, limitMs: DAY },
  ...more,
});

const aPost = (more: Partial<PostDocument> = {}): PostDocument => ({
  ...{ _id: 'post', organization_id: 'org', business_id: 'business', created_at: DUE, updated_at: DUE, revision: 3 },
  ...{ caption: 'Hello', status: 'POST_STATUS_SCHEDULED', verdict: 'POST_STATUS_DRAFT', media: [], metadata: [], platform_overrides: [] },
  ...{ restrict_publish_to: [], restrict_publish_to_integration_ids: [], publish_results: [], publication_ids: [] },
  ...{ scheduled_publish_time: DUE, next_due_at: DUE },
  ...more,
});
const account: IntegrationDocument = {
  ...{ _id: 'x1', organization_id: 'org', business_id: 'business', platform: 'x', status: 'INTEGRATION_STATUS_CONNECTED', revision: 1 },
};
const aRequest = (misfire: MisfireRules, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ publicationId: 'new', restriction: { platforms: [], integrationIds: [] }, confirmNotPublished: false, misfire },
  ...{ deliveryId: (id: string) => `new-${id}`, dueAt: DUE, scheduledFor: DUE },
  ...more,
});
const claimAt = (lateMs: number, misfire: MisfireRules, post: Partial<PostDocument> = {}, accounts = [account]) =>
  claim(aPost(post), accounts, aRequest(misfire), after(lateMs));

const POLICIES = ['publish_late', 'skip', 'hold'];

describe.each(POLICIES)('with the policy %s', (policy) => {
  test.each([0, 1, MINUTE - 1, MINUTE])('a post that is %i ms late is in time', (lateMs) => {
    expect(claimAt(lateMs, rules(policy))).toMatchObject({ kind: 'claimed', lateness: { misfire: undefined } });
  });
});

test.each([
  ['publish_late', MINUTE + 1, 'published_late'],
  ['publish_late', DAY, 'published_late'],
  ['publish_late', DAY + 1, 'held'],
  ['skip', MINUTE + 1, 'skipped'],
  ['skip', DAY + 1, 'skipped'],
  ['hold', MINUTE + 1, 'held'],
])('with the policy %s, a post that is %i ms late is %s', (policy, lateMs, misfire) => {
  const isSent = misfire === 'published_late';
  for (const decision of [
    claimAt(lateMs, rules(policy)),
    // The post's own policy takes precedence over that of the business.
    claimAt(lateMs, rules(policy === 'skip' ? 'hold' : 'skip'), { misfire_policy: policyNamed(policy) }),
  ]) {
    expect(decision).toMatchObject({ kind: isSent ? 'claimed' : 'too_late', lateness: { misfire } });
  }
});

test('deliveries must begin by the time until which the post itself could have been claimed', () => {
  expect(latenessOf(DUE, DUE, rules('publish_late')).publishBefore).toEqual(after(DAY));
  expect(latenessOf(DUE, DUE, rules('skip')).publishBefore).toEqual(after(MINUTE));
  expect(latenessOf(DUE, DUE, rules('hold')).publishBefore).toEqual(after(MINUTE));
});

test('a limit that is shorter than the threshold makes no post late that is in time', () => {
  const short = rules('publish_late', { limitMs: MINUTE, thresholdMs: 5 * MINUTE });
  expect(latenessOf(DUE, after(5 * MINUTE), short).misfire).toBeUndefined();
  expect(latenessOf(DUE, after(5 * MINUTE + 1), short).misfire).toBe('held');
});

test('whatever the rules, a post is claimed if and only if it is not later than the time by which its deliveries must begin', () => {
  const numbers = [0, 1, 59_999, MINUTE, MINUTE + 1, 2 * MINUTE, DAY - 1, DAY, DAY + 1, 8 * DAY];
  for (const policy of POLICIES)
    for (const limitMs of numbers.slice(3))
      for (const thresholdMs of numbers.slice(1, 6))
        for (const lateMs of numbers) {
          const given = rules(policy, { limitMs, thresholdMs });
          const { publishBefore, misfire } = latenessOf(DUE, after(lateMs), given);
          const isTooLate = misfire === 'held' || misfire === 'skipped';
          expect({ given, lateMs, isTooLate }).toEqual({ given, lateMs, isTooLate: after(lateMs) > publishBefore });
        }
});

test('the policy of the business at the time of the claim applies, not an earlier one', () => {
  const lateMs = 5 * MINUTE;
  expect(claimAt(lateMs, rules('publish_late')).kind).toBe('claimed');
  expect(claimAt(lateMs, rules('hold')).kind).toBe('too_late');
  expect(claimAt(lateMs, rules('publish_late', { limitMs: lateMs - 1 })).kind).toBe('too_late');
});

test.each(POLICIES)('what a call publishes is never too late for the policy %s', (policy) => {
  const call = { dueAt: after(DAY), scheduledFor: undefined } as unknown as ClaimRequest;
  const decision = claim(aPost({ misfire_policy: policyNamed(policy) }), [account], aRequest(rules(), call), after(DAY));
  expect(decision).toMatchObject({ kind: 'claimed', lateness: { publishBefore: after(2 * DAY) } });
});

test('a skipped post returns to its previous status and says why; nothing is sent', () => {
  const decision = claimAt(90 * MINUTE, rules('skip'), { early_integration_ids: ['x9'], risks_told: ['a'] });
  if (decision.kind !== 'too_late') throw new Error(decision.kind);
  const { post } = decision;
  expect(post).toMatchObject({ status: 'POST_STATUS_DRAFT', revision: 4, publish_results: [], publication_ids: ['new'] });
  expect(post.last_failure).toEqual({
    error_type: 'too_late',
    detail: 'The post was due at 2026-08-06T10:00:00.000Z and could not be published until 90 minutes later. Its misfire policy is skip.',
    at: after(90 * MINUTE),
  });
  for (const field of ['scheduled_publish_time', 'next_due_at', 'early_integration_ids', 'is_held', 'risks_told'])
    expect(post).not.toHaveProperty(field);
});

test('a held post is noted as at risk until it is published', () => {
  const decision = claimAt(2 * DAY, rules());
  if (decision.kind !== 'too_late') throw new Error(decision.kind);
  expect(decision.post).toMatchObject({
    status: 'POST_STATUS_DRAFT',
    is_held: true,
    risks_told: [expect.stringContaining('misfire_hold')],
  });
  expect(decision.post.last_failure?.detail).toMatch(
    /2880 minutes later\. The business publishes posts that are at most 1440 minutes late\.$/,
  );
  const call = { ...aRequest(rules()), publicationId: 'next', dueAt: after(3 * DAY), scheduledFor: undefined } as unknown as ClaimRequest;
  const next = claim(decision.post, [account], call, after(3 * DAY));
  if (next.kind !== 'claimed') throw new Error(next.kind);
  expect(next.post.publish_results).toHaveLength(1);
  for (const field of ['is_held', 'risks_told', 'last_failure']) expect(next.post).not.toHaveProperty(field);
});

test('a post that an account has already becomes PUBLISHED, and keeps why the other accounts do not have it', () => {
  const success = { integrationId: 'x2', status: 'PUBLISH_RESULT_STATUS_SUCCESS', dueAt: DUE, lagMs: 0, platform: 'x' } as ResultDocument;
  const decision = claimAt(2 * MINUTE, rules('hold'), { publish_results: [success], early_integration_ids: ['x2'] });
  expect(decision).toMatchObject({
    post: { status: 'POST_STATUS_PUBLISHED', publish_results: [success], last_failure: { error_type: 'too_late' }, is_held: true },
  });
});

test('a post that waits no longer for that time is not late', () => {
  expect(claimAt(2 * DAY, rules('hold'), { next_due_at: after(3 * DAY) }).kind).toBe('nothing_to_do');
});
