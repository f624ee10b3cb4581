import type { PublishStrategy } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../posts/post.ts';
import { restrictionOf, type MissingTarget, type Restriction, type Target } from '../targets/targets.ts';

interface Resolved {
  /** In the order of the caller. */
  readonly targets: readonly Target[];
  readonly missing: readonly MissingTarget[];
  /** Those of `targets` that the publication sends the post to. */
  readonly open: readonly Target[];
}

/**
 * How the deliveries of a publication depend on each other. A publication whose strategy cannot hold is not begun: an account is missing, or may have the
 * post already.
 * @throws DomainError invalid_request, conflict
 */
export function strategyOf(post: PostDocument, request: { readonly restriction: Restriction }, resolved: Resolved): PublishStrategy {
  switch (post.strategy) {
    case 'PUBLISH_STRATEGY_PRIMARY_FIRST':
      return primaryFirst(post, restrictionOf(post, request.restriction), resolved);
    case 'PUBLISH_STRATEGY_ALL_OR_NOTHING':
      return allOrNothing(post, resolved);
    default:
      return 'PUBLISH_STRATEGY_INDEPENDENT';
  }
}

function primaryFirst(
  post: PostDocument,
  { integrationIds, platforms }: Restriction,
  { targets, missing, open }: Resolved,
): PublishStrategy {
  const isFirst = ({ integrationId, platform }: Target) =>
    integrationIds.length > 0 ? integrationId === integrationIds[0] : platforms.length === 0 || platform === platforms[0];
  const absent = missing.find(isFirst);
  if (absent) throw new DomainError('invalid_request', `This post goes to its first account first. ${absent.reason}`);
  const primary = targets[0];
  if (!primary || hasIt(post, primary)) return 'PUBLISH_STRATEGY_INDEPENDENT';
  if (!open.includes(primary)) throw undecided('This post goes to its first account first');
  return open.length > 1 ? 'PUBLISH_STRATEGY_PRIMARY_FIRST' : 'PUBLISH_STRATEGY_INDEPENDENT';
}

function allOrNothing(post: PostDocument, { targets, missing, open }: Resolved): PublishStrategy {
  const [absent] = missing.filter((target) => !hasIt(post, target));
  const what = 'This post goes to all of its accounts or to none';
  if (absent) throw new DomainError('invalid_request', `${what}. ${absent.reason}`);
  if (targets.some((target) => !open.includes(target) && !hasIt(post, target))) throw undecided(what);
  return open.length > 1 ? 'PUBLISH_STRATEGY_ALL_OR_NOTHING' : 'PUBLISH_STRATEGY_INDEPENDENT';
}

const undecided = (what: string): DomainError =>
  new DomainError(
    'conflict',
    `${what}, and an account may have it already or is getting it. Wait until every publish result is success or failed; if one is unknown_outcome, check the platform and publish again with confirm_not_published: true.`,
  );

const hasIt = (post: PostDocument, target: Target): boolean =>
  post.publish_results.some(
    (result) =>
      result.integrationId === target.integrationId &&
      result.platform === target.platform &&
      result.status === 'PUBLISH_RESULT_STATUS_SUCCESS',
  );
