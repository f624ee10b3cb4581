import { DomainError } from '@fanfare/errors';

const MAX_LENGTH = 500;

/** What operators do is logged with a reason. @throws DomainError missing_field, invalid_value */
export function requiredReason(reason: string): void {
  if (reason.trim() === '') throw new DomainError('missing_field', 'Give a reason, for the log.', { param: 'reason' });
  if (reason.length > MAX_LENGTH)
    throw new DomainError('invalid_value', `It must have at most ${MAX_LENGTH} characters.`, { param: 'reason' });
}
