import { DomainError } from '@fanfare/errors';
import express, { type Request, type Response } from 'express';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Reads a body of at most `maxBytes`, and decompresses it if necessary.
 * @param what the body is, for the error when it is too large: `A JSON body`
 * @throws DomainError payload_too_large, unsupported_media_type for an unknown encoding, invalid_request for a body that ended early
 */
export function readBytes(what: string, maxBytes: number): (request: Request, response: Response) => Promise<Buffer> {
  const read = express.raw({ limit: maxBytes, type: () => true });
  return async (request, response) => {
    const failure = await new Promise<unknown>((resolve) => read(request, response, resolve));
    if (failure !== undefined) throw rejection(failure, what, maxBytes);
    return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  };
}

function rejection(failure: unknown, what: string, maxBytes: number): DomainError {
  switch ((failure as { status?: number }).status) {
    case 413: {
      const most = maxBytes < MIB ? `${Math.floor(maxBytes / KIB)} KiB` : `${Math.floor(maxBytes / MIB)} MiB`;
      return new DomainError('payload_too_large', `${what} can have at most ${most}.`, { cause: failure });
    }
    case 415:
      return new DomainError('unsupported_media_type', 'Send the body without Content-Encoding, or with gzip, deflate or br.', {
        cause: failure,
      });
    default:
      return new DomainError('invalid_request', 'The body was cut off or could not be decoded.', { cause: failure });
  }
}
