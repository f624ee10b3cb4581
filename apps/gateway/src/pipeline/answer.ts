import type { Request, Response } from 'express';
import type { Context } from '../context.ts';
import type { StoredAnswer } from '../idempotency/outcome.ts';
import type { Answer, Route } from '../route.ts';
import { downgradeAnswer, VERSIONS, type Version } from '../versions/index.ts';
import { etagOf, isNoneMatch } from './etag.ts';

/** Writes a route's answers: links and tags, in the version that the caller speaks. */
export function answerWriter(
  { urls }: Pick<Context, 'urls'>,
  route: Route,
): (request: Request, version: Version, answer: Answer<unknown>) => StoredAnswer {
  const downgrade = new Map(VERSIONS.map((version) => [version, downgradeAnswer(version, route.resource)]));
  return (request, version, { body, location, revision, digest }) => {
    const headers: Record<string, string> = {};
    if (location !== undefined && route.status !== 200) headers['Location'] = route.status === 303 ? location : urls.api(location);
    if (revision !== undefined) headers['ETag'] = etagOf(revision, version);
    const self = route.self && { self: urls.api(route.self === 'page' ? request.originalUrl : (location ?? request.path)) };
    const written = downgrade.get(version)?.({ ...(body as object), ...self });
    return { status: route.status, headers, body: JSON.stringify(written), ...(digest !== undefined && { digest }) };
  };
}

export function sendAnswer(request: Request, response: Response, { status, headers, body }: StoredAnswer): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Vary', 'Accept-Encoding, Authorization, Origin, Service-Version');
  const etag = headers['ETag'];
  if (etag !== undefined && request.method === 'GET' && isNoneMatch(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  // Said here: what compresses answers hides their length from Node.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
