import type { Response } from 'express';
import type { Behavior } from './receiver.ts';

const DRIP_MS = 1_000;
const CHUNK = Buffer.alloc(64 * 1024, '.');

/** Responds to a webhook. What never ends ends when the sender closes the connection. */
export function respond(response: Response, behavior: Behavior): void {
  switch (behavior.type) {
    case 'accept':
      return void response.status(204).end();
    case 'status':
      if (behavior.retry_after !== undefined) response.set('retry-after', String(behavior.retry_after));
      return void response.status(behavior.status).type('text').send(`Set to respond with ${behavior.status}`);
    case 'stall':
      return;
    case 'redirect':
      return void response.redirect(302, behavior.location);
    case 'drop':
      return void response.destroy();
    case 'drip': {
      response.status(200).type('text').write('.');
      const timer = setInterval(() => response.write('.'), DRIP_MS).unref();
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'endless': {
      response.status(200).type('text');
      const fill = () => {
        while (!response.destroyed && response.write(CHUNK));
      };
      response.on('drain', fill);
      return fill();
    }
  }
}
