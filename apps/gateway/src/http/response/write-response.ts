import { downgradeResponse, type Version, VERSIONS } from '@fanfare/resources';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import { CSV_TYPE, toCsv, wantsCsv } from './csv.ts';
import { etagOf, isNoneMatch, retag } from './etag.ts';
import type { StoredResponse } from '../idempotency/outcome.ts';
import type { RawHandlerResult } from '../raw-route.ts';
import type { Route } from '../route.ts';

interface ResponseWriter {
  /** Adds links and the ETag, and converts the body to a version of the API. */
  write(request: Request, path: string, version: Version, response: RawHandlerResult): StoredResponse;
  /** Converts a response from the current version to another: a repeat may use another version than the first request. */
  rewrite(response: StoredResponse, version: Version): StoredResponse;
}

export function responseWriter({ urls }: Pick<Context, 'urls'>, route: Route): ResponseWriter {
  const selfIs = route.raw ? undefined : route.self;
  const downgrades = new Map(VERSIONS.map((version) => [version, downgradeResponse(version, route.resource)]));
  const inVersion = (version: Version, body: object) => JSON.stringify(downgrades.get(version)?.(body as Record<string, unknown>));
  return {
    write(request, path, version, { body, headers: own, location, revision, reading, digest, isAccepted, instead }) {
      if (instead) return instead;
      const headers: Record<string, string> = { ...own };
      if (!route.raw && route.csv && wantsCsv(request)) {
        const next = nextLink(request, urls.api(path), body);
        const link = next === undefined ? {} : { Link: next };
        return { status: route.status, headers: { ...headers, ...link, 'Content-Type': CSV_TYPE }, body: toCsv(route.csv(body)) };
      }
      if (location !== undefined && (isAccepted || route.status !== 200))
        headers['Location'] = route.status === 303 ? location : urls.api(location);
      if (revision !== undefined) headers['ETag'] = etagOf(revision, version, reading);
      const self = selfIs && { self: urls.api(selfIs === 'page' ? path + queryOf(request) : (location ?? path)) };
      const written = body === undefined ? '' : inVersion(version, { ...(body as object), ...self });
      return { status: isAccepted ? 202 : route.status, headers, body: written, ...(digest !== undefined && { digest }) };
    },
    rewrite(response, version) {
      const { ETag: etag, ...headers } = response.headers;
      return {
        ...response,
        headers: etag === undefined ? headers : { ...headers, ETag: retag(etag, version) },
        body: response.body && inVersion(version, JSON.parse(response.body) as object),
      };
    },
  };
}

/** A table has no place for the cursor of the next page (RFC 8288). */
function nextLink(request: Request, url: string, page: unknown): string | undefined {
  const { next, next_cursor: nextCursor } = page as { next?: unknown; next_cursor?: unknown };
  const cursor = nextCursor ?? next;
  if (typeof cursor !== 'string') return undefined;
  const query = new URLSearchParams(queryOf(request));
  query.set('cursor', cursor);
  return `<${url}?${query.toString()}>; rel="next"`;
}

/** The query string, unchanged: a cursor is valid only with the same filters. */
function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at);
}

export function sendResponse(request: Request, response: Response, { status, headers, body }: StoredResponse): void {
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Vary', 'Accept, Accept-Encoding, Authorization, Origin, Service-Version');
  const etag = headers['ETag'];
  if (etag !== undefined && request.method === 'GET' && isNoneMatch(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  response.statusCode = status;
  if (body === '') {
    if (status !== 204) response.setHeader('Content-Length', 0);
    return void response.end();
  }
  if (headers['Content-Type'] === undefined) response.setHeader('Content-Type', 'application/json');
  // Set here, because the compression middleware hides the length from Node.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
