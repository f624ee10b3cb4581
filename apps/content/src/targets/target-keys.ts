import type { PostDocument } from '../posts/post.ts';
import { isWaiting } from './is-waiting.ts';
import type { IntegrationDocument } from './integration.ts';

/** The target filters of a list of posts. */
interface TargetFilter {
  readonly platform: string | undefined;
  readonly integrationId: string | undefined;
}

const EVERYWHERE = 'to:*';

/** The keys of a post: where it was sent and, while it is scheduled or was never sent, where it is to go. */
export function targetKeysOf(post: Omit<PostDocument, 'target_keys'>): string[] {
  const sent = post.publish_results.flatMap(({ platform, integrationId }) => [`platform:${platform}`, `account:${integrationId}`]);
  const isOpen = isWaiting(post) || (post.publish_results.length === 0 && post.status !== 'POST_STATUS_PUBLISHED');
  return [...new Set([...sent, ...(isOpen ? plannedKeys(post) : namedKeys(post, sent))])];
}

/** The keys that find the posts that went to a platform or an account, or would go there with the current accounts. */
export function keysFor({ platform, integrationId }: TargetFilter, integrations: readonly IntegrationDocument[]): string[] {
  const isConnected = ({ status }: IntegrationDocument) => status !== 'INTEGRATION_STATUS_DISCONNECTED';
  if (integrationId !== undefined) {
    const account = integrations.find(({ _id }) => _id === integrationId);
    if (!account || (platform !== undefined && account.platform !== platform)) return [];
    const planned = [`to:account:${integrationId}`, ...(isConnected(account) ? [`to:platform:${account.platform}`, EVERYWHERE] : [])];
    return [`account:${integrationId}`, ...planned];
  }
  const accounts = integrations.filter((one) => one.platform === platform);
  return [
    `platform:${platform}`,
    `to:platform:${platform}`,
    ...accounts.map(({ _id }) => `to:account:${_id}`),
    ...(accounts.some(isConnected) ? [EVERYWHERE] : []),
  ];
}

/** Where a post goes that was not sent. */
export function plannedKeys({ restrict_publish_to: platforms, restrict_publish_to_integration_ids: ids }: Targeted): string[] {
  if (ids.length > 0) return ids.map((id) => `to:account:${id}`);
  return platforms.length > 0 ? platforms.map((platform) => `to:platform:${platform}`) : [EVERYWHERE];
}

/** A record of a post that was published elsewhere went to the targets that it names. */
function namedKeys(post: Targeted, sent: readonly string[]): string[] {
  return sent.length > 0 ? [] : plannedKeys(post).filter((key) => key !== EVERYWHERE);
}

export type Targeted = Pick<PostDocument, 'restrict_publish_to' | 'restrict_publish_to_integration_ids'>;
