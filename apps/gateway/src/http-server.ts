import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { answerConnect, answerUnreadable } from './problem.ts';

/** A large upload over a slow line. */
const REQUEST_TIMEOUT_MS = 30 * 60_000;
/** Longer than load balancers keep their connections (60 s), so that they close first and no request meets a closing socket. */
const KEEP_ALIVE_MS = 65_000;

/** The public server. Whatever Node would answer by itself, with an empty body, is answered here as everything else is. */
export function createHttpServer(context: Context): Server {
  const app = createApp(context);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    request.url = originForm(request.url ?? '/');
    app(request, response);
  };
  const server = createServer(
    // The app asks for Host itself.
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false },
    handle,
  );
  // RFC 9110, 10.1.1: an expectation that is unknown may be left out of account.
  server.on('checkExpectation', handle);
  server.on('clientError', answerUnreadable(context));
  server.on('connect', answerConnect(context));
  return server;
}

/** RFC 9112, 3.2.2: `GET http://host/path` means /path. */
const originForm = (target: string) => target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/^(?!\/|\*$)/, '/');
