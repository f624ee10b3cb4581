import { DomainError } from '@fanfare/errors';

export function keyConflict(): DomainError {
  return new DomainError('IDEMPOTENCY_KEY_CONFLICT', 'This Idempotency-Key was used before with a different request.');
}
