import type { RequestHandler } from 'express';
import type { Config } from '../../config.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * What every response tells browsers, whatever it holds and whoever writes it: to take its type as it says, and, once they have come by HTTPS, to come by
 * nothing else (RFC 6797; of this host alone, as the ones below it may not be ours).
 */
export function securityHeaders({ baseUrl }: Pick<Config, 'baseUrl'>): readonly (readonly [string, string])[] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ...(baseUrl.startsWith('https:') ? [['Strict-Transport-Security', `max-age=${YEAR_S}`] as const] : []),
  ];
}

export function setSecurityHeaders(config: Pick<Config, 'baseUrl'>): RequestHandler {
  const headers = securityHeaders(config);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
