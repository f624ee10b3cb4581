import { DomainError } from '@fanfare/errors';
import type { RequestHandler } from 'express';

/** RFC 9112, 3.2. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new DomainError('invalid_request', 'A request of HTTP/1.1 needs the header "Host".');
  }
  next();
};
