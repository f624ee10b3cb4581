import { DomainError } from '@fanfare/errors';

/**
 * Compares the current revision of a resource with those that `If-Match` permits.
 * @param ifRevisions empty permits any
 * @throws DomainError precondition_failed
 */
export function checkRevision(ifRevisions: readonly number[], name: string, revision: number): void {
  if (ifRevisions.length === 0 || ifRevisions.includes(revision)) return;
  throw new DomainError('precondition_failed', `The ${name} has changed since you read it.`);
}
