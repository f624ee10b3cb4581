import { DomainError } from '@fanfare/errors';
import type { Request } from 'express';
import { closeAfterResponse } from '../http/request/close-after-response.ts';

/**
 * The minimum rate of a streamed body: 16 KiB/s on average over a minute. The slowest mobile network is faster. A slower client would block a connection, and
 * one to the library.
 */
const WINDOW_MS = 60_000;
const WINDOW_BYTES = 16 * 1024 * 60;
const CHECK_MS = 1_000;
export const PACE: Pace = { windowMs: WINDOW_MS, windowBytes: WINDOW_BYTES, checkMs: CHECK_MS };

interface Pace {
  readonly windowMs: number;
  readonly windowBytes: number;
  readonly checkMs: number;
  /** The request parameter of the missing bytes. */
  param?(): string | undefined;
}

/**
 * Waits for work that reads a streamed body while the body keeps arriving, without a limit of the total time. Time in which this process does not read
 * does not count.
 * @throws DomainError invalid_request if the body arrives too slowly; the connection is closed after that response, or immediately if the response was
 *   sent already
 */
export async function atPace<T>(request: Request, work: Promise<T>, { windowMs, windowBytes, checkMs, param } = PACE): Promise<T> {
  const { socket } = request;
  let [checks, bytes] = [0, socket.bytesRead];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Counts checks instead of time, because a blocked process reads nothing.
    timer = setInterval(() => {
      const isOurs = request.complete || request.isPaused() || request.readableFlowing === false;
      if (isOurs || socket.bytesRead - bytes >= windowBytes) {
        [checks, bytes] = [0, socket.bytesRead];
      } else if (++checks * checkMs > windowMs) {
        closeAfterResponse(request, request.res);
        const detail = `The upload is too slow: less than ${windowBytes} bytes in ${windowMs / 1000} s.`;
        reject(new DomainError('invalid_request', detail, { param: param?.() }));
      }
    }, checkMs);
  });
  work.catch(() => undefined); // If the body is too slow, the result of the work does not matter.
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}
