import type { Account, World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';

export function createChannel({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const channel: Account = {
    ...fields,
    id: `UC${String(world.nextNumber()).padStart(22, '0')}`,
    platform: 'youtube',
    created_at: new Date(world.now()).toISOString(),
    followers: 1_230,
    linked_id: null,
  };
  world.accounts.set(channel.id, channel);
  world.touched();
  return channel;
}

export const channelsOf = (world: World) => [...world.accounts.values()].filter(({ platform }) => platform === 'youtube');

/** The playlist of a channel's uploads. */
export const uploadsOf = (channelId: string) => `UU${channelId.slice(2)}`;
