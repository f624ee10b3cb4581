import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { DomainError } from '@fanfare/errors';
import type { PeerTls } from '@fanfare/runtime';
import { openBytes, type BytesRequest, type OpenBytes } from './open-bytes.ts';

/** The library's HTTP port for bytes, which are never sent by gRPC. */
export interface LibraryHttp {
  request(options: { method: string; path: string; headers: OutgoingHttpHeaders }): ClientRequest;
  /** Requests bytes that are passed on to a client. */
  open(request: BytesRequest): Promise<OpenBytes>;
  close(): void;
}

/** The longest pause of either side: a platform that reads slowly, or a large file that is being stored. */
const IDLE_TIMEOUT_MS = 120_000;

/** @param tls our certificate, for an https URL */
export function createLibraryHttp(baseUrl: string, tls?: PeerTls): LibraryHttp {
  const { protocol, hostname, port } = new URL(baseUrl);
  const { request, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  return {
    request({ method, path, headers }) {
      const made = request({ agent, hostname, port, method, path, headers, ...tls?.current() });
      return made.setTimeout(IDLE_TIMEOUT_MS, () => made.destroy(new Error('The library stopped responding.')));
    },
    open: (request) => openBytes(baseUrl, request, tls),
    close: () => agent.destroy(),
  };
}

/** @throws DomainError internal_error if the library does not respond */
export function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (cause) =>
      reject(new DomainError('internal_error', 'The library is temporarily unavailable.', { retryAfterSeconds: 1, cause })),
    );
  });
}
