import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { notFound, DomainError } from '@fanfare/errors';
import { parseAddress, type PeerTls } from '@fanfare/runtime';
import { createHttpTerminator } from 'http-terminator';
import type { Context } from '../context.ts';
import { sendError } from './send-error.ts';
import { getMedia } from './get-media.ts';
import { putArchive } from './put-archive.ts';
import { putUpload } from './put-upload.ts';
import { serveTus } from './serve-tus.ts';

/** How long running downloads may take when the server stops. Platforms resume them by Range. */
const STOP_TIMEOUT_MS = 8_000;
/** Longer than the idle timeout of the gateway (a minute), so that the gateway ends such requests, with an error response. */
const IDLE_TIMEOUT_MS = 120_000;
/** The gateway ends uploads that are too slow. */
const UPLOAD_TIMEOUT_MS = 48 * 60 * 60_000;
/** Headers contain the description of an uploaded file. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Serves uploads and downloads: signed media URLs, which the gateway proxies to the public, and uploads from the gateway. */
export async function startHttpServer(context: Context): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const limits = { requestTimeout: UPLOAD_TIMEOUT_MS, headersTimeout: 10_000, keepAliveTimeout: 30_000, maxHeaderSize: MAX_HEADER_BYTES };
  const connectedAt = new WeakMap<Socket, number>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const age = performance.now() - (connectedAt.get(request.socket) ?? 0);
    response.shouldKeepAlive &&= age < context.config.maxConnectionAgeMs;
    route(context, request, response).catch((error: unknown) => sendError(error, response, context.log));
  };
  const { peerTls } = context;
  const server = peerTls ? secureServer(peerTls, limits, handle) : http.createServer(limits, handle);
  server.on(peerTls ? 'secureConnection' : 'connection', (socket: Socket) => connectedAt.set(socket, performance.now()));
  server.setTimeout(IDLE_TIMEOUT_MS);
  const terminator = createHttpTerminator({ server, gracefulTerminationTimeout: STOP_TIMEOUT_MS });
  const { host, port } = parseAddress(context.config.httpAddress);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return { port: (server.address() as AddressInfo).port, stop: () => terminator.terminate() };
}

/** Accepts only clients with a certificate of our CA and an allowed name. */
function secureServer(tls: PeerTls, limits: http.ServerOptions, handle: http.RequestListener): https.Server {
  const requestingCertificates = { requestCert: true, rejectUnauthorized: true };
  const server = https.createServer({ ...limits, ...requestingCertificates, ...tls.current() }, handle);
  server.on('secureConnection', (socket) => {
    if (!tls.isPeer(socket.getPeerCertificate())) socket.destroy();
  });
  const unsubscribe = tls.subscribe((files) => server.setSecureContext({ ...files, ...requestingCertificates }));
  return server.once('close', unsubscribe);
}

const TUS_METHODS: ReadonlySet<string> = new Set(['POST', 'HEAD', 'PATCH', 'DELETE']);

async function route(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '', 'http://library');
  const [kind, id, signature, ...rest] = url?.pathname.slice(1).split('/') ?? [];
  if (url && kind === 'media' && id !== undefined && signature !== undefined && rest.length === 0) {
    if (request.method === 'GET' || request.method === 'HEAD') return getMedia(context, { id, signature, url }, request, response);
    response.setHeader('allow', 'GET, HEAD');
    throw new DomainError('method_not_allowed', 'Media URLs support only GET and HEAD.');
  }
  if (url && kind === 'tus' && id !== undefined && signature === undefined && TUS_METHODS.has(request.method ?? '')) {
    return serveTus(context, id, request, response);
  }
  if (url && kind === 'uploads' && id !== undefined && signature === undefined) {
    if (request.method === 'PUT') return putUpload(context, { id, url }, request, response);
    response.setHeader('allow', 'PUT');
    throw new DomainError('method_not_allowed', 'Uploads support only PUT.');
  }
  if (url && kind === 'archives' && id !== undefined && signature === undefined) {
    if (request.method === 'PUT') return putArchive(context, { id, url }, request, response);
    response.setHeader('allow', 'PUT');
    throw new DomainError('method_not_allowed', 'Archives support only PUT.');
  }
  throw notFound('resource');
}
