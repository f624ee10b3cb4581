import type { Account } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { newXId } from './state.ts';

export function createUser({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const user: Account = {
    ...fields,
    id: newXId(world),
    platform: 'x',
    created_at: new Date(world.now()).toISOString(),
    followers: 870,
    linked_id: null,
  };
  world.accounts.set(user.id, user);
  world.touched();
  return user;
}
