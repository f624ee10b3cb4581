import type { PublishStrategy } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { resolveTargets, restrictionOf, type MissingTarget, type Target } from '../targets/targets.ts';

interface Resolved {
  /** In the order of the caller. */
  readonly targets: readonly Target[];
  readonly missing: readonly MissingTarget[];
  /** Those of `targets` that the publication sends the post to. */
  readonly open: readonly Target[];
}

/** A publication that its strategy does not permit. */
export class StrategyConflict extends DomainError {
  /** Of the accounts to which the post is not sent because of that, if it was due. */
  readonly errorType: 'primary_failed' | 'other_target_failed';

  constructor(code: 'invalid_request' | 'conflict', detail: string, errorType: StrategyConflict['errorType'], param?: string) {
    super(code, detail, { param });
    this.errorType = errorType;
  }
}

/**
 * How the deliveries of a publication depend on each other. A publication whose strategy is not possible is not begun: an account is missing, does not have the
 * post and does not get it, or may have it already.
 * @param resolved the targets of the request
 * @throws StrategyConflict
 */
export function strategyOf(post: PostDocument, resolved: Resolved, integrations: readonly IntegrationDocument[]): PublishStrategy {
  switch (post.strategy) {
    case 'PUBLISH_STRATEGY_PRIMARY_FIRST':
      return primaryFirst(post, resolved, integrations);
    case 'PUBLISH_STRATEGY_ALL_OR_NOTHING':
      return allOrNothing(post, resolved, integrations);
    default:
      return 'PUBLISH_STRATEGY_INDEPENDENT';
  }
}

/** With the primary account first, in whatever order the request names them. */
export function inOrderOf(post: PostDocument, open: readonly Target[], integrations: readonly IntegrationDocument[]): readonly Target[] {
  const primary =
    post.strategy === 'PUBLISH_STRATEGY_PRIMARY_FIRST' ? resolveTargets(restrictionOf(post), integrations).targets[0] : undefined;
  return primary ? open.toSorted((a, b) => Number(isSame(b, primary)) - Number(isSame(a, primary))) : open;
}

const isSame = (one: Target, other: Target): boolean => one.integrationId === other.integrationId;

function primaryFirst(post: PostDocument, { targets, open }: Resolved, integrations: readonly IntegrationDocument[]): PublishStrategy {
  const what = 'This post goes to its first account first';
  // That of the post, whatever the request selects.
  const own = restrictionOf(post);
  const { integrationIds, platforms } = own;
  const all = resolveTargets(own, integrations);
  const isFirst = ({ integrationId, platform }: Target) =>
    integrationIds.length > 0 ? integrationId === integrationIds[0] : platforms.length === 0 || platform === platforms[0];
  const absent = all.missing.find(isFirst);
  if (absent && !hasIt(post, absent)) throw new StrategyConflict('invalid_request', `${what}. ${absent.reason}`, 'primary_failed');
  const [primary] = absent ? [] : all.targets;
  if (!primary || hasIt(post, primary)) return 'PUBLISH_STRATEGY_INDEPENDENT';
  if (!targets.some((one) => isSame(one, primary))) throw notSelected(what, 'primary_failed');
  if (!open.some((one) => isSame(one, primary)))
    throw new StrategyConflict('conflict', `${what}${whyNot(post, primary)}`, 'primary_failed');
  return open.length > 1 ? 'PUBLISH_STRATEGY_PRIMARY_FIRST' : 'PUBLISH_STRATEGY_INDEPENDENT';
}

function allOrNothing(
  post: PostDocument,
  { targets, missing, open }: Resolved,
  integrations: readonly IntegrationDocument[],
): PublishStrategy {
  const what = 'This post goes to all of its accounts or to none';
  const [absent] = missing.filter((target) => !hasIt(post, target));
  if (absent) throw new StrategyConflict('invalid_request', `${what}. ${absent.reason}`, 'other_target_failed');
  const without = targets.find((target) => !open.includes(target) && !hasIt(post, target));
  if (without) throw new StrategyConflict('conflict', `${what}${whyNot(post, without)}`, 'other_target_failed');
  // Those of the post, whatever the request selects.
  const all = resolveTargets(restrictionOf(post), integrations);
  const isSelected = (target: Target) => targets.some((one) => isSame(one, target));
  if ([...all.targets, ...all.missing].some((target) => !isSelected(target) && !hasIt(post, target)))
    throw notSelected(what, 'other_target_failed');
  return open.length > 1 ? 'PUBLISH_STRATEGY_ALL_OR_NOTHING' : 'PUBLISH_STRATEGY_INDEPENDENT';
}

/** The request selects accounts without one that the strategy needs. */
const notSelected = (what: string, errorType: StrategyConflict['errorType']) =>
  new StrategyConflict(
    'invalid_request',
    `${what}: publish it without restrict_publish_to and restrict_publish_to_integration_ids, or change its strategy.`,
    errorType,
    'restrict_publish_to',
  );

/** Why an account does not have the post, and does not get it by this publication. */
function whyNot(post: PostDocument, target: Target): string {
  const result = resultOf(post, target);
  if (result && isRemoved(result)) return `, and the one at ${target.platform} was unpublished. Create a new post.`;
  if (result?.status === 'PUBLISH_RESULT_STATUS_FAILED' && result.errorType !== 'unknown_outcome')
    return `, and publishing it early to ${target.platform} failed. Publish it again.`;
  return ', and an account may have it already or is getting it. Wait until every publish result is success or failed; if one is unknown_outcome, check the platform: if the post is not there, publish again with confirm_not_published: true; if it is, change the strategy to independent and publish again.';
}

const resultOf = (post: PostDocument, target: Target) =>
  post.publish_results.find(({ integrationId, platform }) => integrationId === target.integrationId && platform === target.platform);

const hasIt = (post: PostDocument, target: Target): boolean => {
  const result = resultOf(post, target);
  return result?.status === 'PUBLISH_RESULT_STATUS_SUCCESS' && !isRemoved(result);
};

const isRemoved = ({ removal }: ResultDocument): boolean =>
  removal?.status === 'REMOVAL_STATUS_PENDING' || removal?.status === 'REMOVAL_STATUS_REMOVED';
