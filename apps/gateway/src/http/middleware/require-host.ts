import { DomainError } from '@fanfare/errors';
import type { RequestHandler } from 'express';

/** RFC 9112, 3.2: with several, the proxy in front of us and we might each believe another one. Node shows the first alone. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new DomainError('invalid_request', 'An HTTP/1.1 request requires the "Host" header.');
  }
  if (request.rawHeaders.filter(isHost).length > 1) {
    throw new DomainError('invalid_request', 'A request can have only one "Host" header.');
  }
  next();
};

/** Names and values take turns. */
const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
