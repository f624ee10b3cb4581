import type { Deadline } from '@fanfare/runtime';
import type { Dispatcher } from 'undici';
import { Readable } from 'node:stream';
import { type Effect, PlatformFailure } from './failure.ts';
import { stringAt } from './fields.ts';

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: Buffer | StreamedBody | null;
  /** Until the last byte of the response, including the wait for a connection. A streamed body restarts it with each piece. */
  readonly timeoutMs: number;
  /** No byte is sent after it. */
  readonly deadline: Deadline | undefined;
  /** Called right before the first byte is written. */
  readonly onSent?: (() => void) | undefined;
  /** Called with each further piece of a streamed body that the connection takes. */
  readonly onPiece?: (() => void) | undefined;
  readonly maxResponseBytes: number;
}

/** A body of known size whose bytes are read while it is sent, as fast as the connection accepts them. */
export interface StreamedBody {
  readonly sizeBytes: number;
  pieces(): AsyncIterable<Buffer>;
}

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Sends one HTTP/1.1 request and reads its response, whatever its status.
 *
 * What is known about a failed request depends on one fact: undici calls `onRequestStart` once per attempt, when it has a connection and in the
 * same tick in which it writes the first byte (`writeH1` in undici's client-h1.js). Before it nothing was sent; a second call would be
 * undici sending the request again, which is prevented.
 *
 * @throws PlatformFailure `transient`: `not_sent` or `unknown`
 */
export function exchange(dispatcher: Dispatcher, request: Exchange): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let started = false;
    let hasEnded = false;
    let connection: Dispatcher.DispatchController | undefined;
    let head: { status: number; headers: Record<string, string> } | undefined;
    let size = 0;
    const chunks: Buffer[] = [];

    const end = (finish: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      finish();
    };
    const fail = (reason: string, cause?: unknown) =>
      end(() => reject(callFailed(request.url, reason, started ? 'unknown' : 'not_sent', cause)));
    const hangUp = (reason: string) => {
      fail(reason);
      connection?.abort(new Error(reason));
    };
    const timer = setTimeout(() => hangUp('no response in time'), request.timeoutMs);

    const { body } = request;
    const streamed = body !== null && 'pieces' in body;
    const anew = () => {
      if (hasEnded) return;
      timer.refresh();
      request.onPiece?.();
    };

    dispatcher.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method,
        headers: { ...request.headers, ...(streamed && { 'content-length': String(body.sizeBytes) }) },
        body: streamed ? Readable.from(each(body.pieces(), anew)) : body,
      },
      {
        onRequestStart(controller) {
          if (request.deadline?.passed()) fail('the deadline has passed');
          else if (started) fail('the connection broke');
          if (hasEnded) throw new Error('must not be sent any more');
          started = true;
          request.onSent?.();
          connection = controller;
        },
        onResponseStart(_controller, status, headers) {
          if (status >= 200) head = { status, headers: flatten(headers) };
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          if (size > request.maxResponseBytes) hangUp(`the response is larger than ${request.maxResponseBytes} bytes`);
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const received = head;
          if (!received) return fail('the response has no status');
          end(() => resolve({ ...received, body: Buffer.concat(chunks) }));
        },
        onResponseError(_controller, error) {
          fail('the connection failed', error);
        },
      },
    );
  });
}

async function* each<T>(items: AsyncIterable<T>, onItem: () => void): AsyncIterable<T> {
  for await (const item of items) {
    onItem();
    yield item;
  }
}

function callFailed(url: URL, reason: string, effect: Effect, cause: unknown): PlatformFailure {
  const code = stringAt(cause, 'code');
  return new PlatformFailure('transient', `The call to the platform failed: ${reason}.`, {
    effect,
    detail: { host: url.host, reason, code },
    cause,
  });
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
