import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@fanfare/errors';
import { toHeaders, type CallMetadata } from '@fanfare/rpc';
import { descriptionHeader, readProblem } from '@fanfare/rpc/bytes';
import type { PeerTls } from '@fanfare/runtime';

/** A file to store. */
export interface NewMedia {
  readonly id: string;
  readonly bytes: Uint8Array | { readonly file: string };
  readonly fileName: string;
  readonly altText: string;
  readonly description?: string;
}

/** A client of the library's HTTP port. File contents are never sent by gRPC. */
export interface LibraryBytes {
  /**
   * Stores a media file. A repeated request with the same id returns the first result.
   * @throws DomainError of the library, such as rate_limit_exceeded if the storage is full; internal_error if it does not respond
   */
  put(media: NewMedia, call: CallMetadata, signal?: AbortSignal): Promise<{ readonly id: string; readonly url: string }>;
  /**
   * Reads a media file completely.
   * @param url an internal one that the library signed
   * @throws DomainError internal_error if it does not respond, or the file is larger than `maxBytes`
   */
  get(url: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
  close(): void;
}

const IDLE_TIMEOUT_MS = 120_000;
const MAX_RESPONSE_BYTES = 1 << 20;

/** @param tls the client certificate for an https URL */
export function createLibraryBytes(baseUrl: string, tls?: PeerTls): LibraryBytes {
  const { request, Agent } = baseUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });

  function send(
    url: URL,
    options: { method: string; headers: OutgoingHttpHeaders; signal: AbortSignal | undefined },
    body?: Readable,
  ): Promise<IncomingMessage> {
    const { signal, ...rest } = options;
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => {
        if (signal?.aborted) reject(signal.reason as Error);
        else reject(new DomainError('internal_error', 'The library is temporarily unavailable.', { retryAfterSeconds: 1, cause }));
      };
      const made = request(url, { agent, ...rest, ...(signal && { signal }), ...tls?.current() }, resolve);
      made.setTimeout(IDLE_TIMEOUT_MS, () => made.destroy(new Error('The library stopped responding.')));
      made.on('error', fail);
      if (body) pipeline(body, made).catch(fail);
      else made.end();
    });
  }

  return {
    async put({ id, bytes, fileName, altText, description }, call, signal) {
      const isFile = 'file' in bytes;
      const headers = {
        ...toHeaders(call),
        ...descriptionHeader({ file_name: fileName, alt_text: altText, ...(description !== undefined && { description }) }),
        'content-type': 'application/octet-stream',
        'content-length': isFile ? (await stat(bytes.file)).size : bytes.byteLength,
      };
      const url = new URL(`/uploads/${id}`, baseUrl);
      const response = await send(url, { method: 'PUT', headers, signal }, isFile ? createReadStream(bytes.file) : Readable.from([bytes]));
      const text = Buffer.from(await wholeOf(response, MAX_RESPONSE_BYTES)).toString('utf8');
      if (response.statusCode !== 200) throw readProblem(text) ?? unexpected(response);
      const { id: stored, url: shown } = JSON.parse(text) as { id: string; url: string };
      return { id: stored, url: shown };
    },
    async get(url, maxBytes, signal) {
      const response = await send(new URL(url), { method: 'GET', headers: {}, signal });
      if (response.statusCode === 200) return wholeOf(response, maxBytes);
      response.resume();
      throw unexpected(response);
    },
    close: () => agent.destroy(),
  };
}

async function wholeOf(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new DomainError('internal_error', 'The response of the library is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const unexpected = ({ statusCode }: IncomingMessage) =>
  new DomainError('internal_error', 'The library responded with an unexpected status.', { cause: new Error(`status ${statusCode}`) });
