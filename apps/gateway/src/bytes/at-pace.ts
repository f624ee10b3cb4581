import { DomainError } from '@fanfare/errors';
import type { Request } from 'express';
import { closeAfterResponse } from '../http/request/close-after-response.ts';

/**
 * How slow a body may come that is streamed: 16 KiB/s on average over a minute. The slowest mobile line is faster; who drips holds a connection, and
 * one to the library, for nothing.
 */
const WINDOW_MS = 60_000;
const WINDOW_BYTES = 16 * 1024 * 60;
const LOOK_MS = 1_000;
export const PACE: Pace = { windowMs: WINDOW_MS, windowBytes: WINDOW_BYTES, lookMs: LOOK_MS };

interface Pace {
  readonly windowMs: number;
  readonly windowBytes: number;
  readonly lookMs: number;
  /** What the bytes that are missing are of. */
  param?(): string | undefined;
}

/**
 * Waits for work that reads a streamed body, for as long as the body keeps arriving; there is no limit to the total time. Time in
 * which this process does not read does not count.
 * @throws DomainError invalid_request when the body arrives too slowly; the connection is closed after that response, or at once if the request got
 *   its response before
 */
export async function atPace<T>(request: Request, work: Promise<T>, { windowMs, windowBytes, lookMs, param } = PACE): Promise<T> {
  const { socket } = request;
  let [looks, bytes] = [0, socket.bytesRead];
  let look: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Looks are counted, and not time: while this process stands still, it reads nothing.
    look = setInterval(() => {
      const isOurs = request.complete || request.isPaused() || request.readableFlowing === false;
      if (isOurs || socket.bytesRead - bytes >= windowBytes) {
        [looks, bytes] = [0, socket.bytesRead];
      } else if (++looks * lookMs > windowMs) {
        closeAfterResponse(request, request.res);
        const detail = `The upload is too slow: less than ${windowBytes} bytes in ${windowMs / 1000} s.`;
        reject(new DomainError('invalid_request', detail, { param: param?.() }));
      }
    }, lookMs);
  });
  work.catch(() => undefined); // When it is late, nobody waits for how it ends.
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(look);
  }
}
