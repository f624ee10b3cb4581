import type { PublishStrategy } from '@fanfare/contracts/content';
import type { PostChange } from '@fanfare/contracts/content/events';
import { DomainError, type ErrorCode } from '@fanfare/errors';
import { isPublishing, isTerminal } from '../posts/is-publishing.ts';
import { checkHasContent } from '../posts/post-content.ts';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { isPublishedBy, afterWaiting } from '../posts/after-waiting.ts';
import { wasPublishedEarly, leavesOtherTargets } from '../targets/early.ts';
import { isWaiting } from '../targets/is-waiting.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { NO_ACCOUNT, resolveTargets, restrictionOf, type MissingTarget, type Restriction, type Target } from '../targets/targets.ts';
import { inOrderOf, StrategyConflict, strategyOf } from './strategy-of.ts';
import { latenessOf, tooLateDetail, type Lateness, type MisfireRules } from '../misfires/misfire.ts';
import { withTooLate } from '../misfires/too-late.ts';

/** A request to publish a post. */
export interface ClaimRequest {
  readonly publicationId: string;
  readonly restriction: Restriction;
  readonly confirmNotPublished: boolean;
  /** The id of the delivery to an account: the same one for the same publication. */
  readonly deliveryId: (integrationId: string) => string;
  /** When the publication was due: the scheduled time, or the time of the call. */
  readonly dueAt: Date;
  /** Only for due posts: the post is skipped unless it still waits for this time. */
  readonly scheduledFor?: Date;
  /** How late the publication may begin; undefined: it is never too late. */
  readonly misfire?: MisfireRules;
}

/** A target that gets a delivery. */
export type ClaimedTarget = Target & { readonly deliveryId: string };

/**
 * Either nothing to do (the post is being sent there already, it has this publication, or it no longer waits for that time), or the post after the claim
 * and its new deliveries. They must begin before the end of its `lateness`. A due post that is too late has none.
 */
export type Claim =
  | { readonly kind: 'nothing_to_do' }
  | { readonly kind: 'too_late'; readonly post: PostDocument; readonly lateness: Lateness }
  | {
      readonly kind: 'claimed';
      readonly post: PostDocument;
      readonly targets: readonly ClaimedTarget[];
      readonly lateness: Lateness | undefined;
      readonly strategy: PublishStrategy;
    };

/**
 * Decides what publishing a post now means. A call that names some accounts of a scheduled post keeps the post scheduled for the others. Pure: the caller
 * runs it in the transaction that read the post.
 * @throws DomainError invalid_request if there is no target; conflict if every target has the post, or may have it; missing_field if the post has no content
 */
export function claim(post: PostDocument, integrations: readonly IntegrationDocument[], request: ClaimRequest, now: Date): Claim {
  if (post.publication_ids.includes(request.publicationId) || isSamePublication(post, request)) return { kind: 'nothing_to_do' };
  if (request.scheduledFor && post.next_due_at?.getTime() !== request.scheduledFor.getTime()) return { kind: 'nothing_to_do' };
  const lateness = request.misfire && latenessOf(request.dueAt, now, request.misfire, policyOf(post, request));
  if (lateness?.misfire === 'skipped' || lateness?.misfire === 'held') {
    return { kind: 'too_late', post: tooLate(post, request, lateness, now), lateness };
  }
  checkSendable(post);
  const { targets, missing } = resolveTargets(restrictionOf(post, request.restriction), integrations);
  const open = targets.filter((target) => mayBeSent(post, target, request));
  if (open.length === 0 && targets.some((target) => isRunning(post, target))) return { kind: 'nothing_to_do' };
  if (open.length === 0) throw noOpenTarget(post, targets, missing);
  const strategy = strategyOf(post, { targets, missing, open }, integrations);

  const claimed = inOrderOf(post, open, integrations).map((target) => ({
    ...target,
    deliveryId: request.deliveryId(target.integrationId),
  }));
  const results = [
    ...claimed.map((target) => pendingResult(target, request, now)),
    ...disconnected(post, missing, request).map((target) => missingResult(target, request, now)),
  ];
  const isEarly = !request.scheduledFor && leavesOtherTargets(post, integrations, [...targets, ...missing]);
  const after = withResults(post, results, request.publicationId, now);
  return { kind: 'claimed', targets: claimed, lateness, strategy, post: isEarly ? keepWaiting(after, open) : whole(after, request.dueAt) };
}

/**
 * The post after a due claim that could not send anything: it returns to its previous status, with a failed result for each platform and account that it
 * names and that has none, and for each that its strategy does not permit. If there is no such result, `last_failure` contains the reason.
 */
export function failDueClaim(
  post: PostDocument,
  integrations: readonly IntegrationDocument[],
  request: ClaimRequest,
  reason: DomainError,
  now: Date,
): PostDocument {
  const { targets, missing } = resolveTargets(restrictionOf(post, request.restriction), integrations);
  // Accounts to which the post is not sent because another one does not get it.
  const unsent =
    reason instanceof StrategyConflict
      ? targets
          .filter((target) => mayBeSent(post, target, request))
          .map((target) => failedResult(target, request, reason.errorType, reason.detail, now))
      : [];
  const results = [...unsent, ...disconnected(post, missing, request).map((target) => missingResult(target, request, now))];
  const after = whole(withResults(post, results, request.publicationId, now), request.dueAt);
  const last_failure = { error_type: ERROR_TYPES[reason.code] ?? 'permission_denied', detail: reason.detail, at: now };
  // If the post was published early to every account, their results say what happened.
  const hasNoResult = results.length === 0 && !post.early_integration_ids;
  return { ...(isPublishing(after) ? after : afterWaiting(after)), ...(hasNoResult && { last_failure }) };
}

/** The policy is about posts at their time. What a call publishes is late by the limit of the business only. */
const policyOf = (post: PostDocument, { scheduledFor }: ClaimRequest) =>
  scheduledFor ? post.misfire_policy : 'MISFIRE_POLICY_PUBLISH_LATE';

/** The post after a due claim that came too late: it returns to its previous status, with the reason. A held one is at risk until somebody changes it. */
function tooLate(post: PostDocument, request: ClaimRequest, lateness: Lateness, now: Date): PostDocument {
  const after = whole(withResults(post, [], request.publicationId, now), request.dueAt);
  const detail = request.misfire ? tooLateDetail(request.dueAt, now, lateness, request.misfire) : '';
  return withTooLate(isPublishing(after) ? after : afterWaiting(after), lateness.policy, detail, now);
}

/** The changes that a claim has made in the post, whether or not anything is sent. */
export function changesOfClaim(before: PostDocument, after: PostDocument): PostChange[] {
  const isPublished = before.status !== 'POST_STATUS_PUBLISHED' && after.status === 'POST_STATUS_PUBLISHED';
  return [
    'POST_CHANGE_CLAIMED',
    ...(isPublished ? ['POST_CHANGE_PUBLISHED' as const] : []),
    ...(isPublishing(after) ? [] : ['POST_CHANGE_ENDED' as const]),
  ];
}

/** The error types of failures in which nothing could be sent. Without a target it is `permission_denied`, as for a disconnected account. */
const ERROR_TYPES: Partial<Record<ErrorCode, string>> = { missing_field: 'validation_failed', conflict: 'unknown_outcome' };

function checkSendable(post: PostDocument): void {
  if (post.status === 'POST_STATUS_PUBLISHED' && post.publication_ids.length === 0) {
    throw new DomainError('conflict', 'This post records one that was published elsewhere. It cannot be published from here.');
  }
  checkHasContent(post);
}

/** Whether the call repeats the running publication: it names no accounts, and the post is not scheduled for other accounts. */
const isSamePublication = (post: PostDocument, { restriction, scheduledFor }: ClaimRequest): boolean =>
  !scheduledFor && isPublishing(post) && !isWaiting(post) && restriction.platforms.length + restriction.integrationIds.length === 0;

const resultFor = (post: PostDocument, { integrationId }: Target): ResultDocument | undefined =>
  post.publish_results.find((result) => result.integrationId === integrationId);

const isRunning = (post: PostDocument, target: Target): boolean => {
  const result = resultFor(post, target);
  return result !== undefined && !isTerminal(result.status);
};

/**
 * A success is never sent again; an unknown outcome is sent again only if the caller confirms that the post was not published. While the post is being
 * published to some accounts, a call may send it to others, but to none a second time, because the call may be a repeat.
 */
function mayBeSent(post: PostDocument, target: Target, { confirmNotPublished, scheduledFor }: ClaimRequest): boolean {
  if (scheduledFor && wasPublishedEarly(post, target)) return false;
  const before = resultFor(post, target);
  if (!before) return true;
  if (!scheduledFor && isPublishing(post)) return false;
  if (before.status === 'PUBLISH_RESULT_STATUS_SUCCESS') return false;
  return before.errorType !== 'unknown_outcome' || confirmNotPublished;
}

/** The named targets that get a failed result because they are not connected. Results of an account that may have the post are kept even if it was disconnected. */
const disconnected = (post: PostDocument, missing: readonly MissingTarget[], request: ClaimRequest): MissingTarget[] =>
  missing.filter((target) => mayBeSent(post, target, request));

function noOpenTarget(post: PostDocument, targets: readonly Target[], missing: readonly MissingTarget[]): DomainError {
  if (targets.length === 0) {
    const detail =
      missing.length > 0 ? `The post has no connected account to go to. ${missing.map(({ reason }) => reason).join(' ')}` : NO_ACCOUNT;
    return new DomainError('invalid_request', detail);
  }
  return new DomainError('conflict', whyNotOpen(post, targets, missing));
}

function whyNotOpen(post: PostDocument, targets: readonly Target[], missing: readonly MissingTarget[]): string {
  const results = targets.map((target) => resultFor(post, target));
  if (results.some((result) => result?.errorType === 'unknown_outcome'))
    return 'The platform may already have this post. Check there, and if it does not, publish again with confirm_not_published: true.';
  if (isPublishing(post))
    return 'This post is being published to other accounts. Publish it again when every publish result is success or failed.';
  const removed = results.filter((result) => result?.removal?.status === 'REMOVAL_STATUS_REMOVED');
  if (removed.length > 0) {
    const since = removed.length === targets.length ? 'unpublished since' : 'removed from some of them since';
    return `This post was published to every account that the request selects, and ${since}. It is not published there again: create a new post.`;
  }
  return missing.length > 0
    ? `This post is already published to every connected account that the request selects. ${missing.map(({ reason }) => reason).join(' ')}`
    : 'This post is already published to every account that the request selects.';
}

/** Adds results, one for each target: a new result replaces the previous one. */
function withResults(post: PostDocument, results: readonly ResultDocument[], publicationId: string, now: Date): PostDocument {
  const { last_failure: _failure, is_held: _held, ...rest } = post;
  const same = (a: ResultDocument, b: ResultDocument) =>
    a.integrationId === '' ? a.platform === b.platform : a.integrationId === b.integrationId;
  const kept = post.publish_results.filter(
    (old) => !results.some((result) => same(old, result) || (old.integrationId === '' && old.platform === result.platform)),
  );
  return {
    ...rest,
    revision: post.revision + 1,
    updated_at: now,
    publish_results: [...kept, ...results],
    publication_ids: [...post.publication_ids, publicationId].slice(-100),
  };
}

/** The post stays scheduled for its other accounts. */
function keepWaiting(post: PostDocument, open: readonly Target[]): PostDocument {
  const ids = open.map(({ integrationId }) => integrationId);
  return { ...post, early_integration_ids: [...new Set([...(post.early_integration_ids ?? []), ...ids])] };
}

/** The post is no longer scheduled, nor at risk. If an account that it was published to early has it already, it is PUBLISHED now. */
function whole(post: PostDocument, dueAt: Date): PostDocument {
  const {
    next_due_at: _due,
    early_integration_ids: _early,
    risks_told: _told,
    quota_promised: _promised,
    quota_promised_at: _at,
    queue_id,
    ...rest
  } = post;
  // While it is being sent, a post that has left its queue has a time like every scheduled post.
  const after = {
    ...rest,
    ...(queue_id !== undefined && { scheduled_publish_time: dueAt }),
    ...(post.repeating_cron !== undefined && { is_followed: true as const }),
  };
  return isPublishedBy(after) ? afterWaiting(after) : after;
}

function pendingResult({ deliveryId, integrationId, platform }: ClaimedTarget, request: ClaimRequest, now: Date): ResultDocument {
  return {
    deliveryId,
    publicationId: request.publicationId,
    platform,
    integrationId,
    status: 'PUBLISH_RESULT_STATUS_PENDING',
    publishId: undefined,
    postUrl: undefined,
    errorType: undefined,
    errorMessage: undefined,
    updatedAt: now,
    attempts: 0,
    lagMs: undefined,
    warnings: [],
    waiting: undefined,
    revision: 0,
    dueAt: request.dueAt,
  };
}

/** Of a target that gets no delivery. */
const failedResult = (target: Target, request: ClaimRequest, errorType: string, errorMessage: string, now: Date): ResultDocument => ({
  ...pendingResult({ ...target, deliveryId: '' }, request, now),
  status: 'PUBLISH_RESULT_STATUS_FAILED',
  errorType,
  errorMessage,
});

const missingResult = (target: MissingTarget, request: ClaimRequest, now: Date): ResultDocument =>
  failedResult(target, request, 'permission_denied', target.reason, now);
