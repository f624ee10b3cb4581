import { DomainError } from '@fanfare/errors';
import type { Route } from '../route.ts';

/** Methods that change nothing. */
export const READING: readonly Route['method'][] = ['get', 'head', 'options'];

/**
 * What is being deleted can be read and restored, but not changed: it is restored as it was.
 * @param finalAt when it is erased; undefined if it is not being deleted
 * @throws DomainError conflict
 */
export function checkDeleting(
  { method, duringDeletion }: Pick<Route, 'method' | 'duringDeletion'>,
  what: 'business' | 'organization',
  finalAt: Date | undefined,
): void {
  if (!finalAt || duringDeletion || READING.includes(method)) return;
  const until = finalAt.toISOString();
  throw new DomainError('conflict', `This ${what} is being deleted. Until ${until} it can be read and restored, but not changed.`, {
    param: `${what}_id`,
  });
}
