import type { Request, Response } from 'express';

/**
 * Closes the connection of a request whose body took too long: after the response, or at once if the response was sent before the body ended.
 * Timers call this, so it must not throw: an uncaught error would end the process.
 */
export function closeAfterResponse(request: Request, response: Response | undefined): void {
  if (!response || response.headersSent) return void request.destroy();
  response.setHeader('Connection', 'close');
  response.once('finish', () => request.destroy());
}
