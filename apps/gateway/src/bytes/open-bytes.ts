import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { DomainError } from '@fanfare/errors';
import type { PeerTls } from '@fanfare/runtime';
import { parseHead, requestHead, type Head } from './http-head.ts';

/** A response of the library whose body has not been read. */
export interface OpenBytes extends Head {
  /** Sends the body on, and settles when all of it is sent. */
  pipeTo(response: ServerResponse): Promise<void>;
}

export interface BytesRequest {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Aborted when nobody wants them any more: ends the connection, whatever it is at. */
  readonly signal: AbortSignal;
}

const BUFFER_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 32 * 1024;
/** Until the response begins; shorter than the door's own limits, which end in no response at all. */
const HEAD_TIMEOUT_MS = 30_000;
/** Neither side may fall silent for longer: a platform that reads slowly, a store that is slow. */
const IDLE_TIMEOUT_MS = 120_000;

/**
 * Asks the library for bytes, past Node's HTTP client: that takes new memory for every 64 KiB that pass, which costs more than twice what sending
 * them does, while here one buffer goes round. It speaks to our own library only, which says how long a body is and never sends it in chunks.
 * @throws DomainError internal_error when the library does not respond
 */
export async function openBytes(baseUrl: string, { method, path, headers, signal }: BytesRequest, peerTls?: PeerTls): Promise<OpenBytes> {
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const request = requestHead(method, path, { ...headers, host, connection: 'close' });
  const secure = protocol === 'https:';
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** Takes what has come. When it returns false nothing comes and nothing is written over until the socket is resumed. */
  let take = (_some: Buffer): boolean => true;
  const onread = { buffer, callback: (bytes: number) => take(buffer.subarray(0, bytes)) };
  const address = { host: hostname, port: Number(port || (secure ? 443 : 80)), onread };
  const socket = secure
    ? tls.connect({ ...address, ...peerTls?.current(), ...(net.isIP(hostname) === 0 && { servername: hostname }) })
    : net.connect(address);
  let waits = true;
  // While it is the reader who is slow, the server's own limit on silence holds.
  socket.setTimeout(HEAD_TIMEOUT_MS, () => waits && socket.destroy(new Error('The library stopped responding.')));
  signal.addEventListener('abort', () => socket.destroy());
  if (signal.aborted) socket.destroy();
  // Whoever waits hears of it by its end.
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => Promise.reject(socket.errored ?? new Error('The library closed the connection.')));
  ended.catch(() => undefined);

  socket.write(request);
  const answered = new Promise<{ head: Head; begun: Buffer }>((resolve, reject) => {
    let held = Buffer.alloc(0);
    take = (some) => {
      held = Buffer.concat([held, some]);
      const end = held.indexOf('\r\n\r\n');
      if (end < 0 && held.length <= MAX_HEAD_BYTES) return true;
      const parsed = end < 0 ? undefined : parseHead(held.toString('latin1', 0, end));
      if (parsed) resolve({ head: parsed, begun: held.subarray(end + 4) });
      else reject(new Error('The library did not respond with HTTP.'));
      return false;
    };
  });
  const { head: answer, begun } = await Promise.race([answered, ended]).catch((cause: unknown) => {
    socket.destroy();
    throw new DomainError('internal_error', 'The library is temporarily unavailable.', { retryAfterSeconds: 1, cause });
  });

  socket.setTimeout(IDLE_TIMEOUT_MS);
  return {
    ...answer,
    async pipeTo(response) {
      if (response.destroyed) return void socket.destroy();
      const noBody = method === 'HEAD' || answer.status === 204 || answer.status === 304;
      let left = noBody ? 0 : Number(answer.headers['content-length']);
      if (!(left >= 0)) throw new Error('The library sent no length.');
      response.flushHeaders();
      const sent = new Promise<void>((resolve) => {
        const next = () => {
          waits = left > 0;
          if (waits) socket.resume();
          else resolve();
        };
        take = (some) => {
          waits = false;
          const ours = some.length > left ? some.subarray(0, left) : some;
          left -= ours.length;
          // The bytes may be written over when they have left for the system, and no sooner.
          response.write(ours, (error) => error ?? next());
          return false;
        };
        if (begun.length > 0) take(begun);
        else next();
      });
      const gone = once(response, 'close').then(() => undefined);
      try {
        await Promise.race([sent, gone, ended]);
        if (!response.destroyed) response.end();
      } finally {
        socket.destroy();
      }
    },
  };
}
