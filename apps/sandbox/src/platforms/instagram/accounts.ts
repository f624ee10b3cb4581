import type { Account } from '../../world/world.ts';
import { createPage, pagesOf } from '../facebook/accounts.ts';
import type { Sandbox } from '../platform.ts';

/** A business account, linked to the Page of the same name, which is created if missing. */
export function createInstagramAccount(sandbox: Sandbox, fields: { username: string; name: string }): Account {
  const { world } = sandbox;
  const page = pagesOf(world).find((one) => one.name === fields.name && one.linked_id === null) ?? createPage(sandbox, fields);
  const account: Account = {
    ...fields,
    id: `178414${String(world.nextNumber()).padStart(11, '0')}`,
    platform: 'instagram',
    created_at: new Date(world.now()).toISOString(),
    followers: 3480,
    linked_id: page.id,
  };
  page.linked_id = account.id;
  world.accounts.set(account.id, account);
  world.touched();
  return account;
}
