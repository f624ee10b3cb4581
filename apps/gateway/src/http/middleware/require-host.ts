import { DomainError } from '@fanfare/errors';
import type { RequestHandler } from 'express';

/** RFC 9112, 3.2: with several, a proxy in front of the gateway might use a different one. Node exposes only the first. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new DomainError('invalid_request', 'An HTTP/1.1 request requires the "Host" header.');
  }
  if (request.rawHeaders.filter(isHost).length > 1) {
    throw new DomainError('invalid_request', 'A request can have only one "Host" header.');
  }
  next();
};

/** Names have even indexes, values odd ones. */
const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
