import { DomainError } from '@fanfare/errors';

/** Folders in the root are level 1. Bounds the cost of computing a path. */
export const MAX_DEPTH = 20;

/**
 * @param above the level of the parent folder
 * @param levels the levels of folders that are added to it
 * @throws DomainError invalid_value, param `parent_id`
 */
export function checkDepth(above: number, levels: number): void {
  if (above + levels > MAX_DEPTH) {
    throw new DomainError('invalid_value', `Folders can be nested at most ${MAX_DEPTH} levels deep.`, { param: 'parent_id' });
  }
}
