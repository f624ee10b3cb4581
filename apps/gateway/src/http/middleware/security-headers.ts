import type { RequestHandler } from 'express';
import type { Config } from '../../config.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Headers of every response: browsers must not guess its type, and after a visit by HTTPS must use nothing else (RFC 6797; for this host only, because
 * its subdomains may belong to others).
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
