import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request, type RequestHandler } from 'express';
import type { Context } from '../../context.ts';

/**
 * The page that shows the API description. It serves everything that it needs, and its policy forbids requests to other hosts.
 * @param reject responds to methods that these paths do not support
 */
export function docsPage({ config }: Pick<Context, 'config'>, reject: RequestHandler): Router {
  const scalar = once(readScalar);
  const start = startScript();
  // Relative URLs, so that they work behind a proxy that adds a prefix to the path.
  const page = (version: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fanfare API</title>
<link rel="icon" href="data:,">
<noscript>This page needs JavaScript. The description itself: <a href="api/openapi.json">api/openapi.json</a></noscript>
<div id="docs"></div>
<script src="docs/scalar.js?${version}"></script>
<script src="docs/start.js?${version}"></script>
</html>
`;

  const router = Router({ strict: true });
  router.get('/docs/', (_request, response) => response.redirect(301, '../docs'));
  const paths: Record<string, RequestHandler[]> = {
    '/docs': [
      (_request, response) => {
        response.setHeader('Content-Security-Policy', policy(new URL(config.baseUrl).origin));
        response.setHeader('Referrer-Policy', 'no-referrer');
        response.setHeader('Cache-Control', 'public, max-age=300');
        response.type('html').send(page(scalar().version));
      },
    ],
    '/docs/start.js': [script, (_request, response) => void response.end(start)],
    '/docs/scalar.js': [
      script,
      async (request, response) => {
        response.vary('Accept-Encoding');
        const { gzipped } = scalar();
        if (takesGzip(request)) {
          response.setHeader('Content-Encoding', 'gzip');
          response.end(gzipped);
        } else {
          await pipeline(Readable.from([gzipped]), createGunzip(), response);
        }
      },
    ],
  };
  for (const [at, handlers] of Object.entries(paths)) {
    router
      .route(at)
      .get(...handlers)
      .all(reject);
  }
  return router;
}

/** The URL of each script contains its version. */
const script: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  next();
};

/** Scalar uses style elements, and sends requests to the API to try it out. */
const policy = (api: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${api}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function startScript(): string {
  const configuration = {
    url: 'api/openapi.json',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    withDefaultFonts: false,
    hideClientButton: true,
    // The order of the route table, in which the most important comes first.
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    showDeveloperTools: 'never',
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: { preferredSecurityScheme: 'api_key' },
  };
  return `Scalar.createApiReference('#docs', ${JSON.stringify(configuration)});\n`;
}

/** The file that `nx run gateway:docs` writes, or the one beside a bundle. */
function readScalar(): { gzipped: Buffer; version: string } {
  const candidates = [path.join(import.meta.dirname, 'gen'), path.join(import.meta.dirname, 'docs')];
  for (const folder of candidates) {
    try {
      const gzipped = readFileSync(path.join(folder, 'scalar.js.gz'));
      const version = createHash('sha256').update(gzipped).update(startScript()).digest('hex').slice(0, 16);
      return { gzipped, version };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`No scalar.js.gz in ${candidates.join(' or ')}; run: npx nx run gateway:docs`);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const takesGzip = (request: Request) => request.acceptsEncodings('gzip') === 'gzip';
