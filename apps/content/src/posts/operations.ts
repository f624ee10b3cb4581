import { DomainError } from '@fanfare/errors';
import type { PostDocument } from './post.ts';

/** A repeat comes soon or never: a caller's Idempotency-Key is remembered for a day. */
const REMEMBERED = 100;

/** Whether this operation has changed the post already: then it is answered, and changes nothing more. */
export const isRepeat = (post: PostDocument, operationId: string): boolean => post.operation_ids?.includes(operationId) ?? false;

/** The post, knowing of one more operation. */
export function withOperation(post: PostDocument, operationId: string): PostDocument {
  return { ...post, operation_ids: [...(post.operation_ids ?? []), operationId].slice(-REMEMBERED) };
}

/**
 * @param expected what the caller has seen; empty means that it does not mind
 * @throws DomainError precondition_failed
 */
export function checkRevision(post: PostDocument, expected: readonly number[]): void {
  if (expected.length > 0 && !expected.includes(post.revision)) {
    throw new DomainError('precondition_failed', 'The post has changed since you read it. Read it again and retry with its current ETag.');
  }
}
