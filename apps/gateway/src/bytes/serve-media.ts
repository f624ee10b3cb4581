import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError, notFound } from '@fanfare/errors';
import { MEDIA_REQUEST_HEADERS } from '@fanfare/rpc/bytes';
import type { RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import { stateOf } from '../http/request/request-state.ts';
import type { OpenBytes } from './open-bytes.ts';

/** RFC 9110, 7.6.1: headers of a single connection, not of the response. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Responses about the bytes are passed on; all others are errors and become problems. */
const passes = (status: number) => status < 400 || status === 412 || status === 416;

/** Streams signed media from the library to anyone with the URL: callers, browsers, platforms. */
export function serveMedia({ libraryHttp, log }: Context): RequestHandler {
  return async (request, response) => {
    stateOf(response).route = '/media/*';
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      throw new DomainError('method_not_allowed', 'Media URLs support only GET and HEAD.');
    }
    const path = request.baseUrl + request.url;
    // Dot segments must not lead out of the library's only public folder.
    if (!URL.parse(path, 'http://library')?.pathname.startsWith('/media/')) throw notFound('media');

    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    // Of pipelined requests only the first has the connection: the others wait for their turn before they use resources.
    if (!response.socket) await once(response, 'socket', disconnected);
    const bytes = await libraryHttp.open({ method: request.method, path, headers: pick(request.headers), signal: disconnected.signal });
    if (!passes(bytes.status)) {
      disconnected.abort();
      throw problemFor(bytes.status);
    }
    response.statusCode = bytes.status;
    copyHeaders(bytes.headers, response);
    await bytes.pipeTo(response).catch((error: unknown) => {
      if (!response.destroyed) log.warn({ err: error, request_id: stateOf(response).requestId }, 'a media response was cut off');
      response.destroy();
    });
  };
}

function pick(headers: IncomingHttpHeaders) {
  return Object.fromEntries(MEDIA_REQUEST_HEADERS.map((name) => [name, headers[name]] as const).filter(([, value]) => value !== undefined));
}

function copyHeaders(headers: OpenBytes['headers'], response: Response): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HOP_BY_HOP.has(name) && !response.hasHeader(name)) response.setHeader(name, value);
  }
}

function problemFor(status: number): DomainError {
  if (status === 403 || status === 410) return new DomainError('permission_denied', 'The media URL is invalid or has expired.');
  if (status < 500) return notFound('media');
  return new DomainError('internal_error', `The library responded with ${status}.`, { retryAfterSeconds: 1 });
}
