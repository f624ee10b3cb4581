import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { rejectConnect, rejectMalformed } from './problems/problem.ts';

/** Uploads are cut when they come too slowly, not when they are large: this is for what nobody reads. */
const REQUEST_TIMEOUT_MS = 48 * 60 * 60_000;
const HEADERS_TIMEOUT_MS = 60_000;
/** No request is silent for so long, whatever it waits for. */
const IDLE_TIMEOUT_MS = 120_000;
/** A caller that was refused may hear it only when it has sent everything; it gets this long for that. */
const LINGER_MS = 5 * 60_000;
/** Longer than load balancers keep their connections (60 s), so that they close first and no request meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;

/** The public server. Whatever Node would answer by itself, with an empty body, is answered here as everything else is. */
export function createHttpServer(context: Context, app: Express): Server {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.url = originForm(request.url ?? '/');
    response.once('finish', () => linger(request));
    app(request, response);
  };
  const server = createServer(
    // The app asks for Host itself.
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
    handle,
  );
  server.setTimeout(IDLE_TIMEOUT_MS);
  // RFC 9110, 10.1.1: an expectation that is unknown may be left out of account.
  server.on('checkExpectation', handle);
  server.on('clientError', rejectMalformed(context));
  server.on('connect', rejectConnect(context));
  return server;
}

/** Takes in for a while what is left of a body that was answered. */
function linger(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** RFC 9112, 3.2.2: `GET http://host/path` means /path. */
const originForm = (target: string) => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/^(?!\/|\*$)/, '/');
