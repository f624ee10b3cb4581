import type { World } from '../../world/world.ts';
import { boardNotFound, notYours } from './errors.ts';
import type { PinterestCall } from './pinterest-operation.ts';
import { boards, type Board } from './state.ts';

/** The caller's own board with that id. @throws Rejection */
export function boardOf(call: PinterestCall, world: World, id: string): Board {
  const board = boards(world).get(id);
  if (!board) throw boardNotFound();
  if (board.owner_id !== call.user.id) throw notYours();
  return board;
}
