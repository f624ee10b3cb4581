import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { DomainError } from '@fanfare/errors';
import type { PeerTls } from '@fanfare/runtime';
import { parseHead, requestHead, type Head } from './http-head.ts';

/** A response of the library whose body has not been read. */
export interface OpenBytes extends Head {
  /** Sends the body to a client, and resolves when all of it is sent. */
  pipeTo(response: ServerResponse): Promise<void>;
}

export interface BytesRequest {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Aborted if the client disconnects: closes the connection in any state. */
  readonly signal: AbortSignal;
}

const BUFFER_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 32 * 1024;
/** The limit until the response begins; shorter than the limits of our own server, which closes the connection without a response. */
const HEAD_TIMEOUT_MS = 30_000;
/** The longest pause of either side: a platform that reads slowly, or a slow blob store. */
const IDLE_TIMEOUT_MS = 120_000;

/**
 * Requests bytes from the library without Node's HTTP client, which allocates new memory for every 64 KiB. That costs more than twice as much as sending
 * them; here one buffer is reused. It only works with the library, which always sends a Content-Length and never chunks.
 * @throws DomainError internal_error if the library does not respond
 */
export async function openBytes(baseUrl: string, { method, path, headers, signal }: BytesRequest, peerTls?: PeerTls): Promise<OpenBytes> {
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const request = requestHead(method, path, { ...headers, host, connection: 'close' });
  const secure = protocol === 'https:';
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** Handles received bytes. If it returns false, the socket is paused and the buffer is not overwritten until the socket is resumed. */
  let onBytes = (_some: Buffer): boolean => true;
  const onread = { buffer, callback: (bytes: number) => onBytes(buffer.subarray(0, bytes)) };
  const address = { host: hostname, port: Number(port || (secure ? 443 : 80)), onread };
  const socket = secure
    ? tls.connect({ ...address, ...peerTls?.current(), ...(net.isIP(hostname) === 0 && { servername: hostname }) })
    : net.connect(address);
  let waits = true;
  // While the client reads slowly, the idle timeout of our server applies.
  socket.setTimeout(HEAD_TIMEOUT_MS, () => waits && socket.destroy(new Error('The library stopped responding.')));
  signal.addEventListener('abort', () => socket.destroy());
  if (signal.aborted) socket.destroy();
  // The error is reported by the promise `ended`.
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => Promise.reject(socket.errored ?? new Error('The library closed the connection.')));
  ended.catch(() => undefined);

  socket.write(request);
  const responded = new Promise<{ head: Head; begun: Buffer }>((resolve, reject) => {
    let received = Buffer.alloc(0);
    onBytes = (some) => {
      received = Buffer.concat([received, some]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0 && received.length <= MAX_HEAD_BYTES) return true;
      const parsed = end < 0 ? undefined : parseHead(received.toString('latin1', 0, end));
      if (parsed) resolve({ head: parsed, begun: received.subarray(end + 4) });
      else reject(new Error('The library did not respond with HTTP.'));
      return false;
    };
  });
  const { head: response, begun } = await Promise.race([responded, ended]).catch((cause: unknown) => {
    socket.destroy();
    throw new DomainError('internal_error', 'The library is temporarily unavailable.', { retryAfterSeconds: 1, cause });
  });

  socket.setTimeout(IDLE_TIMEOUT_MS);
  return {
    ...response,
    async pipeTo(client) {
      if (client.destroyed) return void socket.destroy();
      const noBody = method === 'HEAD' || response.status === 204 || response.status === 304;
      let left = noBody ? 0 : Number(response.headers['content-length']);
      if (!(left >= 0)) throw new Error('The library sent no length.');
      client.flushHeaders();
      const sent = new Promise<void>((resolve) => {
        const next = () => {
          waits = left > 0;
          if (waits) socket.resume();
          else resolve();
        };
        onBytes = (some) => {
          waits = false;
          const ours = some.length > left ? some.subarray(0, left) : some;
          left -= ours.length;
          // The buffer may be overwritten only when its bytes have been passed to the operating system.
          client.write(ours, (error) => error ?? next());
          return false;
        };
        if (begun.length > 0) onBytes(begun);
        else next();
      });
      const disconnected = once(client, 'close').then(() => undefined);
      try {
        await Promise.race([sent, disconnected, ended]);
        if (!client.destroyed) client.end();
      } finally {
        socket.destroy();
      }
    },
  };
}
