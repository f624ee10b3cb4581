import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler } from 'express';
import type { Context } from '../../context.ts';
import { DESCRIBED_BASE_URL } from '../../http/openapi/described-base-url.ts';
import { isNoneMatch } from '../../http/response/etag.ts';

/** Serves the committed description with this server's URL. A test checks that it matches the route table, so the generator is not loaded here. */
export function serveOpenApi({ config }: Pick<Context, 'config'>): RequestHandler {
  const body = Buffer.from(readDescription().replaceAll(DESCRIBED_BASE_URL, () => config.baseUrl));
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

/** Without white space; from the workspace, or from next to a bundle. Not imported, because a process would keep the megabyte as objects and as source. */
function readDescription(): string {
  const candidates = [path.join(import.meta.dirname, '../../../openapi.json'), path.join(import.meta.dirname, 'openapi.json')];
  for (const file of candidates) {
    try {
      return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`No openapi.json in ${candidates.join(' or ')}; run: npx nx run gateway:openapi`);
}
