import type { RequestHandler } from 'express';

/** Served when a caller names none, or one that is unknown. For ever. */
export const FLOOR_VERSION = '2026-04-08';

export const VERSIONS: ReadonlySet<string> = new Set([FLOOR_VERSION, '2026-07-17', '2026-08-02', '2026-08-04', '2026-08-06']);

/** Every answer says in which version of the API it is written. */
export const serveVersion: RequestHandler = (request, response, next) => {
  const asked = request.headers['service-version'];
  response.setHeader('Service-Version', typeof asked === 'string' && VERSIONS.has(asked) ? asked : FLOOR_VERSION);
  next();
};
