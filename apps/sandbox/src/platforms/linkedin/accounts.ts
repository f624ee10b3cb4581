import type { Account, World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';

const memberPrefix = 'urn:li:person:';
const organizationPrefix = 'urn:li:organization:';

/** A page; the one person who owns all pages is created with the first. */
export function createOrganization({ world }: Sandbox, fields: { username: string; name: string }): Account {
  if (membersOf(world).length === 0)
    add(world, `${memberPrefix}yrZC${world.nextNumber()}`, { username: 'demo.person', name: 'Demo Person' });
  return add(world, `${organizationPrefix}${10_000_000 + world.nextNumber()}`, fields);
}

function add(world: World, id: string, fields: { username: string; name: string }): Account {
  const account: Account = {
    ...fields,
    id,
    platform: 'linkedin',
    created_at: new Date(world.now()).toISOString(),
    followers: 640,
    linked_id: null,
  };
  world.accounts.set(id, account);
  world.touched();
  return account;
}

export const isOrganization = (urn: string) => urn.startsWith(organizationPrefix);

export const membersOf = (world: World) => accountsOf(world).filter(({ id }) => !isOrganization(id));

export const organizationsOf = (world: World) => accountsOf(world).filter(({ id }) => isOrganization(id));

function accountsOf(world: World): Account[] {
  return [...world.accounts.values()].filter(({ platform }) => platform === 'linkedin');
}
