import type { IntegrationDocument } from '../store/integrations.ts';
import type { PostDocument } from '../store/posts.ts';

/** Where a publication may go. Empty lists restrict nothing; when both are given, the accounts win. */
export interface Restriction {
  readonly platforms: readonly string[];
  readonly integrationIds: readonly string[];
}

/** An account that the post goes to. */
export interface Target {
  readonly integrationId: string;
  readonly platform: string;
}

/** Something that was asked for by name and has no connected account. */
export interface MissingTarget extends Target {
  readonly reason: string;
}

/** This call's own restriction, or else the post's. */
export function restrictionOf(post: PostDocument, own?: Restriction): Restriction {
  if (own && (own.integrationIds.length > 0 || own.platforms.length > 0)) return own;
  return { platforms: post.restrict_publish_to, integrationIds: post.restrict_publish_to_integration_ids };
}

/** Why there is nowhere to send to where nothing is asked for by name. */
export function whyNoTarget(integrations: readonly IntegrationDocument[]): string {
  return integrations.some(isExpired)
    ? 'The accounts of this business have to be connected again: their access has ended.'
    : 'No account is connected to this business.';
}

/** Resolves "all connected", platforms and accounts against the accounts as they are now: at the moment of sending. */
export function resolveTargets(
  restriction: Restriction,
  integrations: readonly IntegrationDocument[],
): { targets: Target[]; missing: MissingTarget[] } {
  const connected = integrations.filter(
    ({ status }) => status === 'INTEGRATION_STATUS_CONNECTED' || status === 'INTEGRATION_STATUS_EXPIRING',
  );
  const target = ({ _id, platform }: IntegrationDocument): Target => ({ integrationId: _id, platform });

  if (restriction.integrationIds.length > 0) {
    const byId = new Map(integrations.map((integration) => [integration._id, integration]));
    const named = [...new Set(restriction.integrationIds)].map((id) => byId.get(id) ?? id);
    return {
      targets: named.filter((one) => typeof one !== 'string' && connected.includes(one)).map((one) => target(one as IntegrationDocument)),
      missing: named
        .filter((one) => typeof one === 'string' || !connected.includes(one))
        .map((one) => ({
          integrationId: typeof one === 'string' ? one : one._id,
          platform: typeof one === 'string' ? '' : one.platform,
          reason:
            typeof one !== 'string' && isExpired(one)
              ? 'This account has to be connected again: its access has ended.'
              : 'This account is no longer connected.',
        })),
    };
  }
  if (restriction.platforms.length > 0) {
    const platforms = [...new Set(restriction.platforms)];
    return {
      targets: connected.filter(({ platform }) => platforms.includes(platform)).map(target),
      missing: platforms
        .filter((platform) => !connected.some((integration) => integration.platform === platform))
        .map((platform) => ({ integrationId: '', platform, reason: whyNone(platform, integrations) })),
    };
  }
  return { targets: connected.map(target), missing: [] };
}

const isExpired = ({ status }: IntegrationDocument) => status === 'INTEGRATION_STATUS_EXPIRED';

function whyNone(platform: string, integrations: readonly IntegrationDocument[]): string {
  return integrations.some((integration) => integration.platform === platform && isExpired(integration))
    ? `The ${platform} account has to be connected again: its access has ended.`
    : `No ${platform} account is connected.`;
}
