import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { rejectConnect, rejectMalformed } from './problems/problem.ts';

/** Uploads have a minimum speed instead of a maximum duration, so this only ends requests whose body is not read. */
const REQUEST_TIMEOUT_MS = 48 * 60 * 60_000;
const HEADERS_TIMEOUT_MS = 60_000;
/** Longer than any request is silent, whatever it waits for. */
const IDLE_TIMEOUT_MS = 120_000;
/** Some clients read the response only after sending the whole body; they get this long to send the rest. */
const LINGER_MS = 5 * 60_000;
/** Longer than load balancers keep their connections (60 s), so that they close first and no request is sent to a closing socket. */
const KEEP_ALIVE_MS = 65_000;

/** The public server. Requests that Node would reject itself, with an empty body, get the same errors as all others. */
export function createHttpServer(context: Context, app: Express): Server {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.url = originForm(request.url ?? '/');
    response.once('finish', () => linger(request));
    app(request, response);
  };
  const server = createServer(
    // The app checks the Host header itself.
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
    handle,
  );
  server.setTimeout(IDLE_TIMEOUT_MS);
  // RFC 9110, 10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', handle);
  server.on('clientError', rejectMalformed(context));
  server.on('connect', rejectConnect(context));
  return server;
}

/** Reads the rest of a body for a while after the response. */
function linger(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** RFC 9112, 3.2.2: `GET http://host/path` means /path. */
const originForm = (target: string) => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/^(?!\/|\*$)/, '/');
