import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import description from '../../../openapi.json' with { type: 'json' };
import type { Context } from '../../context.ts';
import { isNoneMatch } from '../../http/response/etag.ts';

/** Serves the committed description with this server's URL. A test checks that it matches the route table, so the generator is not loaded here. */
export function serveOpenApi({ config }: Pick<Context, 'config'>): RequestHandler {
  const [{ url: describedBaseUrl } = { url: '' }] = description.servers;
  const body = JSON.stringify(description).replaceAll(describedBaseUrl, config.baseUrl);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return (request, response) => {
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'public, max-age=300');
    if (isNoneMatch(request.headers['if-none-match'], etag)) {
      response.statusCode = 304;
      return void response.end();
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  };
}
