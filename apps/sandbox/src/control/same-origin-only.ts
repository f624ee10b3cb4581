import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/**
 * Prevents web pages in a developer's browser from controlling the sandbox. Its own routes respond only to its own host names, so that a name
 * pointed here (DNS rebinding) reaches nothing; requests of other origins are rejected; and control calls that change something must be
 * JSON, which pages cannot send without a CORS preflight.
 */
export function sameOriginOnly({ host }: Pick<Config, 'host'>): RequestHandler {
  return (request, response, next) => {
    const reject = (status: number, message: string) => void response.status(status).json({ error: { message, problems: [] } });
    const own = request.headers.host ?? '';
    const name = URL.parse(`http://${own}`)?.hostname ?? '';
    if (!isOwn(name, host)) return reject(403, `The sandbox responds only to host names of this machine, not to ${own || 'an empty one'}`);
    const { origin } = request.headers;
    if (origin !== undefined && URL.parse(origin)?.host !== own)
      return reject(403, `The sandbox does not accept calls from the origin ${origin}`);
    if (request.method === 'POST' && request.baseUrl === '/_control' && !isJson(request.headers['content-type'])) {
      return reject(415, 'Send "Content-Type: application/json" with every control call, even without a body');
    }
    next();
  };
}

/** IP addresses are safe: only names can be pointed here by others. */
const isOwn = (name: string, listensOn: string) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === listensOn.toLowerCase();

const isJson = (contentType = '') => contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';
