import { once } from 'node:events';
import { DomainError } from '@fanfare/errors';
import type { Request, Response } from 'express';

/** An event as the EventSource of browsers reads it (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
interface SentEvent {
  /** Sent back as `Last-Event-ID` when the client reconnects. */
  readonly id: string;
  readonly event: string;
  /** One line. */
  readonly data: string;
}

/** A response that is a stream of events. */
export interface EventStream {
  /** Aborted when the client has disconnected, the process stops or the stream has lasted long enough. */
  readonly signal: AbortSignal;
  /** Waits for work, but not after `signal` was aborted: then undefined. */
  during<T>(work: Promise<T>): Promise<T | undefined>;
  /** Waits until a slow client has read what was sent before. */
  send(events: readonly SentEvent[]): Promise<void>;
  /**
   * Shows the client where the stream is, while there are no events: an id without data is no event, but the client sends it back when it reconnects. Also
   * keeps the connection open.
   */
  sendPosition(id: string): Promise<void>;
  end(): void;
}

/** The open streams of this process. */
export interface EventStreams {
  /** @throws DomainError rate_limit_exceeded if the organization has too many */
  open(organizationId: string, response: Response): EventStream;
  /** Ends all streams; clients reconnect, to another process. */
  end(): void;
}

/** For an organization in one process: each stream reads the feed by itself. */
const MOST = 20;
/** Clients reconnect, so that they spread over processes again. */
const LONGEST_MS = 30 * 60_000;
/** How long clients wait until they reconnect. */
const RECONNECT_MS = 1_000;

export const wantsStream = (request: Request): boolean => request.accepts(['json', 'text/event-stream']) === 'text/event-stream';

export function createEventStreams(): EventStreams {
  const counts = new Map<string, number>();
  const stopping = new AbortController();

  return {
    open(organizationId, response) {
      const count = counts.get(organizationId) ?? 0;
      if (count >= MOST)
        throw new DomainError('rate_limit_exceeded', `Your organization has ${MOST} event streams. Close one first.`, {
          retryAfterSeconds: 60,
        });
      counts.set(organizationId, count + 1);
      const disconnected = new AbortController();
      const onClose = () => {
        disconnected.abort();
        const left = (counts.get(organizationId) ?? 1) - 1;
        if (left > 0) counts.set(organizationId, left);
        else counts.delete(organizationId);
      };
      if (response.closed) onClose();
      else response.once('close', onClose);
      const signal = AbortSignal.any([disconnected.signal, stopping.signal, AbortSignal.timeout(LONGEST_MS)]);
      response.writeHead(200, {
        'Content-Type': 'text/event-stream',
        // Proxies and our own compression would delay events.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
      const write = async (text: string) => {
        if (!signal.aborted && !response.write(text)) await once(response, 'drain', { signal }).catch(() => undefined);
      };
      void write(`retry: ${RECONNECT_MS}\n\n`);
      return {
        signal,
        during: (work) => unlessAborted(work, signal),
        send: (events) => write(events.map(({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`).join('')),
        sendPosition: (id) => write(`id: ${id}\n\n`),
        end: () => void response.end(),
      };
    },
    end: () => stopping.abort(),
  };
}

/** Not a race with one promise for the whole stream, which would remember every call. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
