import type { ServerResponse } from 'node:http';
import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import { problemBody } from '@fanfare/rpc/bytes';
import type { Logger } from '@fanfare/runtime';

/** Writes a domain error as JSON; anything else is ours and tells nothing of the inside. Once a response has begun it can only be cut off. */
export function sendError(error: unknown, response: ServerResponse, log: Logger): void {
  if (isGone(error) || response.destroyed) {
    response.destroy();
    return;
  }
  if (response.headersSent) {
    log.error({ err: error }, 'a response was cut off');
    response.destroy();
    return;
  }
  if (!(error instanceof DomainError)) log.error({ err: error }, 'a request failed');
  const told = error instanceof DomainError ? error : new DomainError('internal_error', 'Something went wrong on our side.');
  const body = problemBody(told);
  response.writeHead(ERROR_TABLE[told.code].httpStatus, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The other side went away: nobody is left to respond to, and nothing is wrong with us. */
function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
