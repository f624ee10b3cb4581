import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError, ERROR_TABLE } from '@fanfare/errors';
import { FLOOR_VERSION, type Urls } from '@fanfare/resources';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { sendResponse } from '../response/write-response.ts';
import { problemPage } from '../html/problem-page.ts';
import { describeLimits } from '../limits/limit.ts';
import { securityHeaders } from '../middleware/security-headers.ts';
import { newRequestId, stateOf } from '../request/request-state.ts';

/** Writes every error of the API; no other code does. */
export function writeProblem(context: Context): ErrorRequestHandler {
  const { log, urls } = context;
  return async (thrown: unknown, request, response, _next) => {
    const error = toDomainError(thrown);
    const { requestId, flowId, route, organizationId, isPage } = stateOf(response);
    if (error.code === 'internal_error') {
      const ids = { request_id: requestId, flow_id: flowId, organization_id: organizationId };
      log.error({ err: thrown, cause: error.cause, method: request.method, route, ...ids }, 'request failed');
    }
    // Requests rejected before they were counted carry rate-limit headers too. After an internal error, reading the limits might fail as well.
    if (!response.hasHeader('RateLimit-Limit') && error.code !== 'internal_error') await setLimitHeaders(context, request, response);
    // A response that has begun cannot become an error. Cutting it off shows that it is incomplete.
    if (response.headersSent || response.destroyed) return void response.destroy();

    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
    if (isPage) return sendResponse(request, response, problemPage(context.config, error, requestId));
    const problem = problemOf(error, { urls, instance: request.originalUrl.split('?')[0] ?? '/', requestId });
    if (error.code === 'authentication_required') response.setHeader('WWW-Authenticate', 'Bearer');
    const enveloped = wantsEnvelope(request);
    send(response, problem.status, enveloped ? { error: problem } : problem, enveloped ? 'application/json' : 'application/problem+json');
  };
}

async function setLimitHeaders(context: Context, request: Request, response: Response): Promise<void> {
  await describeLimits(context, request, response).catch((error: unknown) =>
    context.log.warn({ err: error }, 'rate-limit headers could not be added'),
  );
}

/** For malformed requests and those that do not arrive in time: Node provides only the socket. */
export function rejectMalformed(context: Context): (error: Error & { code?: string }, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const detail = UNREADABLE[error.code ?? ''] ?? 'This is not a valid HTTP request.';
    respondOnSocket(context, socket, new DomainError('invalid_request', detail), '/');
  };
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and the headers of the request together are larger than 16 KiB.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions of the body are too large.',
  HPE_INVALID_EOF_STATE: 'The connection closed before the whole request had arrived. Check that Content-Length matches the body.',
  HPE_INVALID_METHOD:
    'This is not a valid HTTP request. If it follows another one on the same connection, check that the Content-Length of that request matches its body.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** For CONNECT, which requests a tunnel: Node provides only the socket here too. */
export function rejectConnect(context: Context): (request: IncomingMessage, socket: Duplex) => void {
  return (_request, socket) => {
    respondOnSocket(context, socket, new DomainError('method_not_allowed', 'This server is not a proxy.'), '/', ['Allow: GET, HEAD']);
  };
}

/**
 * Responds at once, without waiting to read rate limits: an earlier request on the same connection may still be running, and its response must not get
 * in between.
 */
function respondOnSocket(
  { urls, config }: Context,
  socket: Duplex,
  error: DomainError,
  instance: string,
  more: readonly string[] = [],
): void {
  const requestId = newRequestId();
  const body = JSON.stringify(problemOf(error, { urls, instance, requestId }));
  const { httpStatus } = ERROR_TABLE[error.code];
  const headers = [
    `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    `X-Flow-ID: ${requestId}`,
    `Service-Version: ${FLOOR_VERSION}`,
    ...securityHeaders(config).map((header) => header.join(': ')),
    'Connection: close',
    ...more,
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

function problemOf(error: DomainError, on: { urls: Urls; instance: string; requestId: string }) {
  const { code } = error;
  const { httpStatus, title } = ERROR_TABLE[code];
  const detail =
    code === 'internal_error'
      ? 'Something went wrong on our side. Try again. If the error persists, contact us with the request_id.'
      : error.detail;
  return {
    type: on.urls.error(code),
    title,
    status: httpStatus,
    detail,
    code,
    instance: on.instance,
    request_id: on.requestId,
    ...(error.param === undefined ? {} : { param: error.param }),
    ...(error.errors.length === 0 ? {} : { errors: error.errors }),
    ...error.members,
  };
}

function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  // The router cannot decode a path such as /api/businesses/%zz.
  if (thrown instanceof URIError) return new DomainError('invalid_value', 'The path contains malformed percent-encoding.');
  return new DomainError('internal_error', 'Something went wrong on our side.', { cause: thrown });
}

/** Clients that accept JSON but not problem documents get an envelope. */
function wantsEnvelope(request: Request): boolean {
  const accepted = (request.headers.accept ?? '').toLowerCase();
  return accepted.includes('application/json') && !accepted.includes('application/problem+json');
}

function send(response: Response, status: number, body: object, contentType: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.vary('Accept');
  const text = JSON.stringify(body);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
