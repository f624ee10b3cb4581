import { DomainError } from '@fanfare/errors';
import { revisionOf } from './revision-of.ts';

/**
 * For what is put together from several documents.
 * @param ifRevisions empty asks for nothing
 * @throws DomainError precondition_failed
 */
export function checkRevision(ifRevisions: readonly number[], name: string, body: object): void {
  if (ifRevisions.length === 0 || ifRevisions.includes(revisionOf(body))) return;
  throw new DomainError('precondition_failed', `The ${name} has changed since you read it.`);
}
