import type { Request, Response } from 'express';

/**
 * Closes the connection of a request whose body is not waited for any longer: after its answer, or at once where it has been answered before its body
 * was through. Timers call this, and nobody listens to them: what they throw would end the process.
 */
export function closeAfterAnswer(request: Request, response: Response | undefined): void {
  if (!response || response.headersSent) return void request.destroy();
  response.setHeader('Connection', 'close');
  response.once('finish', () => request.destroy());
}
