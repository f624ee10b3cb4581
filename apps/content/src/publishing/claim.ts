import type { PostChange } from '@fanfare/contracts/content/events';
import { DomainError, type ErrorCode } from '@fanfare/errors';
import { isPublishing, isTerminal } from '../posts/is-publishing.ts';
import { checkHasContent } from '../posts/post-content.ts';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { settled } from '../posts/settled.ts';
import { wasPublishedEarly, leavesOtherTargets } from '../targets/early.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { NO_ACCOUNT, resolveTargets, restrictionOf, type MissingTarget, type Restriction, type Target } from '../targets/targets.ts';

/** What is asked for. */
export interface ClaimRequest {
  readonly publicationId: string;
  readonly restriction: Restriction;
  readonly confirmNotPublished: boolean;
  /** Allocates the id of the delivery to an account: the same for the same publication. */
  readonly deliveryId: (integrationId: string) => string;
  /** When it was due: the scheduled time, or the time of the call. */
  readonly dueAt: Date;
  /** Only if it still waits for this time: what was moved, taken back or sent since it was found due is left alone. */
  readonly scheduledFor?: Date;
}

/** A target that gets a delivery. */
export type ClaimedTarget = Target & { readonly deliveryId: string };

/** Nothing to do (it is being sent there already, this publication is known, or it no longer waits for that time), or the post as it is once claimed and what to send. */
export type Claim =
  | { readonly kind: 'nothing_to_do' }
  | { readonly kind: 'claimed'; readonly post: PostDocument; readonly targets: readonly ClaimedTarget[] };

/**
 * Decides what publishing a post now means. A call that names some of the accounts of a post that waits leaves it its time, for the rest. Pure: the caller runs it inside the transaction that read the post.
 * @throws DomainError invalid_request when there is nowhere to send it; conflict when every target has it, or may have it; missing_field when
 * there is nothing to send
 */
export function claim(post: PostDocument, integrations: readonly IntegrationDocument[], request: ClaimRequest, now: Date): Claim {
  if (post.publication_ids.includes(request.publicationId) || isSamePublication(post, request)) return { kind: 'nothing_to_do' };
  if (request.scheduledFor && post.next_due_at?.getTime() !== request.scheduledFor.getTime()) return { kind: 'nothing_to_do' };
  checkSendable(post);
  const { targets, missing } = resolveTargets(restrictionOf(post, request.restriction), integrations);
  const open = targets.filter((target) => mayBeSent(post, target, request));
  if (open.length === 0 && targets.some((target) => isUnderWay(post, target))) return { kind: 'nothing_to_do' };
  if (open.length === 0) throw nothingIsOpen(post, targets, missing);

  const claimed = open.map((target) => ({ ...target, deliveryId: request.deliveryId(target.integrationId) }));
  const results = [
    ...claimed.map((target) => pendingResult(target, request, now)),
    ...lost(post, missing, request).map((target) => missingResult(target, request, now)),
  ];
  const isEarly = !request.scheduledFor && leavesOtherTargets(post, integrations, [...targets, ...missing]);
  const after = withResults(post, results, request.publicationId, now);
  return { kind: 'claimed', targets: claimed, post: isEarly ? keepWaiting(after, open) : whole(after) };
}

/**
 * The post when its time came and it could not be sent: back to its verdict, with a failed result for everything that was asked for by name.
 * Where nothing was, the post itself says why.
 */
export function failDueClaim(
  post: PostDocument,
  integrations: readonly IntegrationDocument[],
  request: ClaimRequest,
  reason: DomainError,
  now: Date,
): PostDocument {
  const { missing } = resolveTargets(restrictionOf(post, request.restriction), integrations);
  const results = lost(post, missing, request).map((target) => missingResult(target, request, now));
  const after = whole(withResults(post, results, request.publicationId, now));
  const last_failure = { error_type: ERROR_TYPES[reason.code] ?? 'permission_denied', detail: reason.detail, at: now };
  // Where every account was sent to ahead of the time, the results say what became of that.
  const isSilent = results.length === 0 && !post.early_integration_ids;
  return { ...(isPublishing(after) ? after : settled(after)), ...(isSilent && { last_failure }) };
}

/** What the claim of a post was, in vain or not. */
export function changesOfClaim(before: PostDocument, after: PostDocument): PostChange[] {
  const isPublished = before.status !== 'POST_STATUS_PUBLISHED' && after.status === 'POST_STATUS_PUBLISHED';
  return [
    'POST_CHANGE_CLAIMED',
    ...(isPublished ? ['POST_CHANGE_PUBLISHED' as const] : []),
    ...(isPublishing(after) ? [] : ['POST_CHANGE_ENDED' as const]),
  ];
}

/** Why nothing could be sent, as results would say it; without an account to send to, `permission_denied` as of one that is gone. */
const ERROR_TYPES: Partial<Record<ErrorCode, string>> = { missing_field: 'validation_failed', conflict: 'unknown_outcome' };

function checkSendable(post: PostDocument): void {
  if (post.status === 'POST_STATUS_PUBLISHED' && post.publication_ids.length === 0) {
    throw new DomainError('conflict', 'This post records one that was published elsewhere. It cannot be published from here.');
  }
  checkHasContent(post);
}

/** Whether a call while the post is being sent means what is under way: it names no accounts, and the post waits for none either. */
const isSamePublication = (post: PostDocument, { restriction, scheduledFor }: ClaimRequest): boolean =>
  !scheduledFor &&
  isPublishing(post) &&
  post.next_due_at === undefined &&
  restriction.platforms.length + restriction.integrationIds.length === 0;

const resultFor = (post: PostDocument, { integrationId }: Target): ResultDocument | undefined =>
  post.publish_results.find((result) => result.integrationId === integrationId);

const isUnderWay = (post: PostDocument, target: Target): boolean => {
  const result = resultFor(post, target);
  return result !== undefined && !isTerminal(result.status);
};

/**
 * What succeeded is never sent again; what may have succeeded only when a person vouches that it did not. While the post is being sent to some accounts a
 * call may send it to others, but to none for a second time: the call may be a repeat.
 */
function mayBeSent(post: PostDocument, target: Target, { confirmNotPublished, scheduledFor }: ClaimRequest): boolean {
  if (scheduledFor && wasPublishedEarly(post, target)) return false;
  const before = resultFor(post, target);
  if (!before) return true;
  if (!scheduledFor && isPublishing(post)) return false;
  if (before.status === 'PUBLISH_RESULT_STATUS_SUCCESS') return false;
  return before.errorType !== 'unknown_outcome' || confirmNotPublished;
}

/** What is asked for by name and cannot be sent to. What an account has, or may have, it has also when it is no longer connected. */
const lost = (post: PostDocument, missing: readonly MissingTarget[], request: ClaimRequest): MissingTarget[] =>
  missing.filter((target) => mayBeSent(post, target, request));

function nothingIsOpen(post: PostDocument, targets: readonly Target[], missing: readonly MissingTarget[]): DomainError {
  if (targets.length === 0) {
    const detail =
      missing.length > 0 ? `The post has no connected account to go to. ${missing.map(({ reason }) => reason).join(' ')}` : NO_ACCOUNT;
    return new DomainError('invalid_request', detail);
  }
  const inDoubt = targets.some(({ integrationId }) =>
    post.publish_results.some((result) => result.integrationId === integrationId && result.errorType === 'unknown_outcome'),
  );
  const detail = inDoubt
    ? 'The platform may already have this post. Check there, and if it does not, publish again with confirm_not_published: true.'
    : isPublishing(post)
      ? 'This post is being published to other accounts. Publish it again when every publish result is success or failed.'
      : 'This post is already published to every account that the request selects.';
  return new DomainError('conflict', detail);
}

/** One entry for each target: a new one takes the place of the one before. */
function withResults(post: PostDocument, results: readonly ResultDocument[], publicationId: string, now: Date): PostDocument {
  const { last_failure: _failure, ...rest } = post;
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

/** It goes on waiting for its time. */
function keepWaiting(post: PostDocument, open: readonly Target[]): PostDocument {
  const ids = open.map(({ integrationId }) => integrationId);
  return { ...post, early_integration_ids: [...new Set([...(post.early_integration_ids ?? []), ...ids])] };
}

/** It waits no longer. What an account has already, ahead of its time, is published now. */
function whole(post: PostDocument): PostDocument {
  const { next_due_at: _due, early_integration_ids: _early, ...rest } = post;
  const after = { ...rest, ...(post.repeating_cron !== undefined && { is_followed: true as const }) };
  const isThere = after.publish_results.some(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS');
  return isThere ? settled(after) : after;
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

function missingResult(target: MissingTarget, request: ClaimRequest, now: Date): ResultDocument {
  return {
    ...pendingResult({ ...target, deliveryId: '' }, request, now),
    status: 'PUBLISH_RESULT_STATUS_FAILED',
    errorType: 'permission_denied',
    errorMessage: target.reason,
  };
}
