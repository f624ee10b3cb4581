import { platformLabel } from '@fanfare/connectors/platform';
import type { PostDocument } from '../posts/post.ts';
import type { IntegrationDocument } from './integration.ts';

/** The targets of a publication, in the order of the caller. Empty lists restrict nothing; if both are given, the accounts take precedence. */
export interface Restriction {
  readonly platforms: readonly string[];
  readonly integrationIds: readonly string[];
}

/** An account that the post goes to. */
export interface Target {
  readonly integrationId: string;
  readonly platform: string;
}

/** A named platform or account that has no connected account. */
export interface MissingTarget extends Target {
  readonly reason: string;
}

/** The restriction of this call, or the post's if the call has none. */
export function restrictionOf(post: PostDocument, own?: Restriction): Restriction {
  if (own && (own.integrationIds.length > 0 || own.platforms.length > 0)) return own;
  return { platforms: post.restrict_publish_to, integrationIds: post.restrict_publish_to_integration_ids };
}

export const NO_ACCOUNT = 'No account is connected to this business.';

/**
 * Resolves "all connected", platforms and accounts to the accounts that are connected now. An account whose access has ended is a target too: it may be
 * reconnected before its delivery, and if it is not, its result says so.
 * @param isLeftOut whether a target no longer concerns the post
 * @returns `isNone` if there were no targets even before leaving any out
 */
export function resolveTargets(
  restriction: Restriction,
  integrations: readonly IntegrationDocument[],
  isLeftOut: (target: Target) => boolean = () => false,
): { targets: Target[]; missing: MissingTarget[]; isNone: boolean } {
  const { targets, missing } = allTargets(restriction, integrations);
  const isNone = targets.length === 0 && missing.length === 0;
  return { targets: targets.filter((one) => !isLeftOut(one)), missing: missing.filter((one) => !isLeftOut(one)), isNone };
}

function allTargets(
  restriction: Restriction,
  integrations: readonly IntegrationDocument[],
): { targets: Target[]; missing: MissingTarget[] } {
  const connected = integrations.filter(({ status }) => status !== 'INTEGRATION_STATUS_DISCONNECTED');
  const target = ({ _id, platform }: IntegrationDocument): Target => ({ integrationId: _id, platform });

  if (restriction.integrationIds.length > 0) {
    const platforms = new Map(integrations.map(({ _id, platform }) => [_id, platform]));
    const ids = [...new Set(restriction.integrationIds)];
    return {
      targets: ids.flatMap((id) => connected.filter(({ _id }) => _id === id)).map(target),
      missing: ids
        .filter((id) => !connected.some(({ _id }) => _id === id))
        .map((id) => ({ integrationId: id, platform: platforms.get(id) ?? '', reason: 'This account is no longer connected.' })),
    };
  }
  if (restriction.platforms.length > 0) {
    const platforms = [...new Set(restriction.platforms)];
    return {
      targets: platforms.flatMap((name) => connected.filter(({ platform }) => platform === name)).map(target),
      missing: platforms
        .filter((platform) => !connected.some((integration) => integration.platform === platform))
        .map((platform) => ({ integrationId: '', platform, reason: `No ${platformLabel(platform)} account is connected.` })),
    };
  }
  return { targets: connected.map(target), missing: [] };
}
