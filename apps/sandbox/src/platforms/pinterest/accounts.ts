import type { Account } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { boards, newPinterestId } from './state.ts';

/** Every account has two boards, because pins require one; the first has sections. */
export function createUser({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const created_at = new Date(world.now()).toISOString();
  const user: Account = { ...fields, id: newPinterestId(world), platform: 'pinterest', created_at, followers: 640, linked_id: null };
  world.accounts.set(user.id, user);
  addBoard('Recipes', ['Breakfast', 'Soups']);
  addBoard('Behind the counter', []);
  world.touched();
  return user;

  function addBoard(name: string, sections: string[]): void {
    const id = newPinterestId(world);
    const named = sections.map((section) => ({ id: newPinterestId(world), name: section }));
    boards(world).set(id, { id, owner_id: user.id, name, created_at, sections: named });
  }
}
