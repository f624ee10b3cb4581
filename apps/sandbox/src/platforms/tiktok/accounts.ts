import type { Account } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { newOpenId } from './state.ts';

export function createUser({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const user: Account = {
    ...fields,
    id: newOpenId(world),
    platform: 'tiktok',
    created_at: new Date(world.now()).toISOString(),
    followers: 12_400,
    linked_id: null,
  };
  world.accounts.set(user.id, user);
  world.touched();
  return user;
}
