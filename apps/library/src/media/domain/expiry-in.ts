import { currentMs } from '@fanfare/runtime';
import { DomainError } from '@fanfare/errors';

const HOUR_SECONDS = 3600;

/**
 * The expiration time of a URL that must work for `validForSeconds`.
 * @throws DomainError if that is less than an hour or more than 7 days
 */
export function expiryIn(validForSeconds: number): Date {
  if (validForSeconds < HOUR_SECONDS || validForSeconds > 7 * 24 * HOUR_SECONDS) {
    throw new DomainError('invalid_value', 'Signed URLs must expire in 1 hour to 7 days.', { param: 'valid_for_seconds' });
  }
  return new Date(currentMs() + validForSeconds * 1000);
}
