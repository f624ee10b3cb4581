import { platformRules, type PlatformRules } from '@fanfare/connectors/preflight';
import type { RemovalStatus } from '@fanfare/contracts/content';
import type { PostChange, RequestedRemoval } from '@fanfare/contracts/content/events';
import { DomainError } from '@fanfare/errors';
import { isPublishing } from '../posts/is-publishing.ts';
import type { PostDocument, RemovalDocument, ResultDocument } from '../posts/post.ts';
import type { Restriction } from '../targets/targets.ts';

/** A request to remove a published post from its platforms. */
export interface UnpublishRequest {
  /** Empty lists select every target; if both are given, the accounts take precedence. */
  readonly restriction: Restriction;
  /** The id of the removal of what a delivery published: the same one for the same operation. */
  readonly removalId: (deliveryId: string) => string;
}

/** Either nothing to do (the post is removed there already, is being removed, or cannot be), or the post after the request and the removals to carry out. */
export type Unpublish =
  | { readonly kind: 'nothing_to_do' }
  | { readonly kind: 'requested'; readonly post: PostDocument; readonly removals: readonly RequestedRemoval[] };

const IN_DOUBT =
  'It is unknown whether the platform has this post, so it is not removed. Check there: if it has the post, remove it there; if not, publish again with confirm_not_published: true.';

/**
 * Decides what unpublishing a post means. The results keep their status, and the post stays PUBLISHED: a removal has a status of its own. Pure: it runs in
 * the transaction that read the post.
 * @throws DomainError conflict while the post is being published, and if no selected target certainly has it
 */
export function unpublish(post: PostDocument, { restriction, removalId }: UnpublishRequest, now: Date): Unpublish {
  if (isPublishing(post)) {
    throw new DomainError('conflict', 'This post is being published. Unpublish it when every publish result is success or failed.');
  }
  const selected = post.publish_results.filter((result) => isSelected(result, restriction));
  if (!selected.some(isPublished)) {
    const isAll = restriction.integrationIds.length + restriction.platforms.length === 0;
    const detail = isAll ? 'This post is not published on any account.' : 'The post is published on no account that the request selects.';
    throw new DomainError('conflict', selected.some(isInDoubt) ? IN_DOUBT : detail);
  }
  const removals = new Map<ResultDocument, RemovalDocument>(
    selected.flatMap((result) => {
      const removal = removalOf(result, removalId(result.deliveryId), now);
      return removal ? [[result, removal]] : [];
    }),
  );
  if (removals.size === 0) return { kind: 'nothing_to_do' };
  const publish_results = post.publish_results.map((result) => ({ ...result, removal: removals.get(result) ?? result.removal }));
  return {
    kind: 'requested',
    post: { ...post, publish_results, revision: post.revision + 1, updated_at: now },
    removals: [...removals].flatMap(([{ deliveryId, integrationId, platform, publishId }, { id: removalId, status }]) =>
      status === 'REMOVAL_STATUS_PENDING' ? [{ removalId, deliveryId, integrationId, platform, publishId }] : [],
    ),
  };
}

/** What has changed: with the last removal that was pending, the unpublish has ended. That is reported of a post that was deleted meanwhile too. */
export const changesOfRemovals = ({ publish_results }: PostDocument): PostChange[] =>
  publish_results.some(({ removal }) => removal?.status === 'REMOVAL_STATUS_PENDING')
    ? ['POST_CHANGE_REMOVAL_CHANGED']
    : ['POST_CHANGE_REMOVAL_CHANGED', 'POST_CHANGE_UNPUBLISHED'];

function isSelected({ integrationId, platform }: ResultDocument, { integrationIds, platforms }: Restriction): boolean {
  if (integrationIds.length > 0) return integrationIds.includes(integrationId);
  return platforms.length === 0 || platforms.includes(platform);
}

const isPublished = ({ status }: ResultDocument): boolean => status === 'PUBLISH_RESULT_STATUS_SUCCESS';
const isInDoubt = ({ errorType }: ResultDocument): boolean => errorType === 'unknown_outcome';

/**
 * The new removal of a target; undefined if it stays as it is. A failed one can be requested again, as can one
 * of a platform that an earlier version did not support.
 */
function removalOf(result: ResultDocument, id: string, updatedAt: Date): RemovalDocument | undefined {
  const removal = (status: RemovalStatus, detail?: string, errorType?: string): RemovalDocument => {
    return { id, status, errorType, detail, updatedAt, revision: 0 };
  };
  if (isInDoubt(result)) return result.removal ? undefined : removal('REMOVAL_STATUS_FAILED', IN_DOUBT, 'unknown_outcome');
  const before = result.removal?.status;
  if (!isPublished(result) || before === 'REMOVAL_STATUS_PENDING' || before === 'REMOVAL_STATUS_REMOVED') return undefined;
  const rules = (platformRules as Partial<Record<string, PlatformRules>>)[result.platform];
  if (!rules || rules.capabilities.includes('unpublish')) return removal('REMOVAL_STATUS_PENDING');
  if (before === 'REMOVAL_STATUS_NOT_SUPPORTED') return undefined;
  return removal('REMOVAL_STATUS_NOT_SUPPORTED', `${rules.label} does not let apps delete posts. A person has to delete it there.`);
}
