import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '@fanfare/errors';
import { TUS_EXTENSIONS as SPOKEN, TUS_PART_TYPE, TUS_VERSION } from '@fanfare/rpc/bytes';

/** The value of the header. */
export const TUS_EXTENSIONS = SPOKEN.join(',');

/** The headers of every response of the protocol. */
export const tusHeaders = { 'Tus-Resumable': TUS_VERSION, 'Tus-Version': TUS_VERSION } as const;

export const isTus = (headers: IncomingHttpHeaders): boolean => headers['tus-resumable'] !== undefined;

/** @throws DomainError missing_field, precondition_failed */
export function checkVersion(headers: IncomingHttpHeaders): void {
  const version = headers['tus-resumable'];
  if (version === undefined) throw new DomainError('missing_field', 'The Tus-Resumable header is required.', { param: 'Tus-Resumable' });
  if (version === TUS_VERSION) return;
  throw new DomainError('precondition_failed', `Only version ${TUS_VERSION} of tus is supported.`, { param: 'Tus-Resumable' });
}

/**
 * A number of bytes in a header.
 * @throws DomainError missing_field, invalid_value
 */
export function readBytes(headers: IncomingHttpHeaders, name: 'Upload-Length' | 'Upload-Offset'): number {
  const given = headers[name.toLowerCase()];
  if (given === undefined) throw new DomainError('missing_field', `The ${name} header is required.`, { param: name });
  const bytes = typeof given === 'string' && /^(0|[1-9]\d{0,15})$/.test(given) ? Number(given) : NaN;
  if (!Number.isSafeInteger(bytes)) throw new DomainError('invalid_value', `${name} must be a number of bytes.`, { param: name });
  return bytes;
}

/** @throws DomainError unsupported_media_type */
export function checkPartType(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] === TUS_PART_TYPE) return;
  throw new DomainError('unsupported_media_type', `Send the bytes with "Content-Type: ${TUS_PART_TYPE}".`);
}
