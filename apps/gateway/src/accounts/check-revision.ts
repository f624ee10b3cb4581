import { DomainError } from '@fanfare/errors';

/**
 * Compares what a resource is now with the revisions that `If-Match` allows.
 * @param ifRevisions empty asks for nothing
 * @throws DomainError precondition_failed
 */
export function checkRevision(ifRevisions: readonly number[], name: string, revision: number): void {
  if (ifRevisions.length === 0 || ifRevisions.includes(revision)) return;
  throw new DomainError('precondition_failed', `The ${name} has changed since you read it.`);
}
