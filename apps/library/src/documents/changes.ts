import { DomainError } from '@fanfare/errors';
import { nameKey, readName } from './domain/names.ts';

interface Given {
  readonly name?: string | undefined;
  /** Empty for the root. */
  readonly parentId?: string | undefined;
}

/**
 * The changes of a node's name and parent in a request.
 * @throws DomainError invalid_value, param `name`
 */
export function placeOf({ name, parentId }: Given): { name?: string; name_key?: string; parent_id?: string | null } {
  const read = name === undefined ? undefined : readName(name);
  return {
    ...(read !== undefined && { name: read, name_key: nameKey(read) }),
    ...(parentId !== undefined && { parent_id: parentId === '' ? null : parentId }),
  };
}

/** @throws DomainError invalid_request if there are no changes */
export function requireChanges(changes: object): void {
  if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
}
