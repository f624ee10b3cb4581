import { DomainError } from '@fanfare/errors';

/** Levels of folders, those in the root being the first. It bounds what a path costs to compute. */
export const MAX_DEPTH = 20;

/**
 * @param above how deep the folder is that something goes to
 * @param levels how many levels of folders go there
 * @throws DomainError invalid_value, param `parent_id`
 */
export function checkDepth(above: number, levels: number): void {
  if (above + levels > MAX_DEPTH) {
    throw new DomainError('invalid_value', `Folders can be nested at most ${MAX_DEPTH} levels deep.`, { param: 'parent_id' });
  }
}
