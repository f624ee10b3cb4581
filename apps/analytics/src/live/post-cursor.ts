import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';

/**
 * A cursor works only for the account and range that it was returned for: its checksum covers these and the platform's own cursor. A cursor grants no
 * access: the platform is read with the account's own token.
 */
export function cursorOf(own: string, list: readonly unknown[]): string {
  const sum = createHash('sha256')
    .update(JSON.stringify([own, list]))
    .digest('base64url')
    .slice(0, 16);
  return `${sum}.${Buffer.from(own).toString('base64url')}`;
}

/** @throws DomainError invalid_request, param `cursor` */
export function cursorIn(cursor: string, list: readonly unknown[]): string {
  const own = Buffer.from(cursor.slice(cursor.indexOf('.') + 1), 'base64url').toString();
  // Decoding ignores characters outside base64url, so that it accepts several spellings. A cursor has only one.
  if (own === '' || cursorOf(own, list) !== cursor) {
    throw new DomainError('invalid_request', 'cursor must be the next_cursor of the previous page, with the same account and dates.', {
      param: 'cursor',
    });
  }
  return own;
}
