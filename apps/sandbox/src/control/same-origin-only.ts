import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/**
 * Keeps web pages that a developer's browser has open from driving the sandbox. What is its own answers by its own name alone, so that a name that was
 * pointed here (DNS rebinding) reaches nothing; a form or a script of another origin is refused; and control calls that change something are
 * JSON, which no page may send here unasked.
 */
export function sameOriginOnly({ host }: Pick<Config, 'host'>): RequestHandler {
  return (request, response, next) => {
    const refuse = (status: number, message: string) => void response.status(status).json({ error: { message, problems: [] } });
    const own = request.headers.host ?? '';
    const name = URL.parse(`http://${own}`)?.hostname ?? '';
    if (!isOwn(name, host)) return refuse(403, `The sandbox responds only to host names of this machine, not to ${own || 'an empty one'}`);
    const { origin } = request.headers;
    if (origin !== undefined && URL.parse(origin)?.host !== own)
      return refuse(403, `The sandbox does not accept calls from the origin ${origin}`);
    if (request.method === 'POST' && request.baseUrl === '/_control' && !isJson(request.headers['content-type'])) {
      return refuse(415, 'Send "Content-Type: application/json" with every control call, even without a body');
    }
    next();
  };
}

/** An address is no name that somebody else could point here. */
const isOwn = (name: string, listensOn: string) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0 || name === listensOn.toLowerCase();

const isJson = (contentType = '') => contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';
