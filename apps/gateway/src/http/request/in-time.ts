import { DomainError } from '@fanfare/errors';
import type { Request, Response } from 'express';
import { closeAfterResponse } from './close-after-response.ts';

/** 1 MiB at 35 kB/s. Uploads are streamed and have the server's own limit. */
const BODY_MS = 30_000;
/** For bodies that may be larger. */
const LARGE_BODY_MS = 120_000;

/**
 * Waits for a body that is being read, for a limited time: a body that arrives slowly occupies memory.
 * @param maxBytes set where a body may be larger than others
 * @throws DomainError invalid_request when the body does not arrive in time; the connection is closed after that response
 */
export async function inTime<T>(request: Request, response: Response, reading: Promise<T>, maxBytes?: number): Promise<T> {
  const bodyMs = maxBytes === undefined ? BODY_MS : LARGE_BODY_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      closeAfterResponse(request, response);
      reject(new DomainError('invalid_request', `The body did not arrive within ${bodyMs / 1000} seconds.`));
    }, bodyMs);
  });
  reading.catch(() => undefined); // When it is late, nobody waits for how it ends.
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
