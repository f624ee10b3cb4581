import type { ServerResponse } from 'node:http';
import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import { problemBody } from '@fanfare/rpc/bytes';
import type { Logger } from '@fanfare/runtime';

/** Sends a domain error as a problem document, and any other error without internal details. A response that has started is aborted. */
export function sendError(error: unknown, response: ServerResponse, log: Logger): void {
  if (isDisconnect(error) || response.destroyed) {
    response.destroy();
    return;
  }
  if (response.headersSent) {
    log.error({ err: error }, 'a response was aborted');
    response.destroy();
    return;
  }
  if (!(error instanceof DomainError)) log.error({ err: error }, 'a request failed');
  const domainError = error instanceof DomainError ? error : new DomainError('internal_error', 'Something went wrong on our side.');
  const body = problemBody(domainError);
  response.writeHead(ERROR_TABLE[domainError.code].httpStatus, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Whether the client disconnected: no response is possible, and it is not our error. */
function isDisconnect(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
