import type { ServerResponse } from 'node:http';
import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import type { Logger } from '@fanfare/runtime';

/** Writes a domain error as JSON; anything else is ours and tells nothing of the inside. Once an answer has begun it can only be cut off. */
export function answerError(error: unknown, response: ServerResponse, log: Logger): void {
  if (isGone(error) || response.destroyed) {
    response.destroy();
    return;
  }
  if (response.headersSent) {
    log.error({ err: error }, 'an answer broke off');
    response.destroy();
    return;
  }
  if (!(error instanceof DomainError)) log.error({ err: error }, 'a request failed');
  const told = error instanceof DomainError ? error : new DomainError('internal_error', 'Something failed on our side.');
  const body = problemBody(told);
  response.writeHead(ERROR_TABLE[told.code].httpStatus, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** A problem document that the gateway makes its own error of. */
export function problemBody({ code, detail, param, errors, members, retryAfterSeconds }: DomainError): string {
  const { httpStatus: status, title } = ERROR_TABLE[code];
  const more = { ...(errors.length > 0 && { errors }), ...(Object.keys(members).length > 0 && { members }) };
  return JSON.stringify({ type: 'about:blank', title, status, code, detail, param, retryAfterSeconds, ...more });
}

/** The other side went away: nobody is left to answer, and nothing is wrong with us. */
function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
