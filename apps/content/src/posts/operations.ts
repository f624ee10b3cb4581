import { DomainError } from '@fanfare/errors';
import type { PostDocument } from './post.ts';

/** Operations that a post stores. A repeat comes within a day, which is how long the gateway stores an Idempotency-Key. */
const REMEMBERED = 100;

/** Whether this operation has changed the post before. Then it changes nothing more, and returns the post. */
export const isRepeat = (post: PostDocument, operationId: string): boolean => post.operation_ids?.includes(operationId) ?? false;

/** Records an operation in the post. */
export function withOperation(post: PostDocument, operationId: string): PostDocument {
  return { ...post, operation_ids: [...(post.operation_ids ?? []), operationId].slice(-REMEMBERED) };
}

/**
 * @param expected the revisions that the caller accepts; empty accepts any
 * @throws DomainError precondition_failed
 */
export function checkRevision(post: PostDocument, expected: readonly number[]): void {
  if (expected.length > 0 && !expected.includes(post.revision)) {
    throw new DomainError('precondition_failed', 'The post has changed since you read it. Read it again and retry with its current ETag.');
  }
}
