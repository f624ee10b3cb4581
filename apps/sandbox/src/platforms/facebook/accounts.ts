import type { Account, World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';

export function createPage({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const page: Account = {
    ...fields,
    id: `1000${String(world.nextNumber()).padStart(11, '0')}`,
    platform: 'facebook',
    created_at: new Date(world.now()).toISOString(),
    followers: 1250,
    linked_id: null,
  };
  world.accounts.set(page.id, page);
  world.touched();
  return page;
}

export const pagesOf = (world: World): Account[] => [...world.accounts.values()].filter((account) => account.platform === 'facebook');
