import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request, type RequestHandler } from 'express';
import type { Context } from '../../context.ts';

/**
 * The page that shows the API's description. Everything that it needs is served from here, and its policy lets it ask nobody else.
 * @param refuse answers the methods that these paths lack
 */
export function docsPage({ config }: Pick<Context, 'config'>, refuse: RequestHandler): Router {
  const scalar = once(readScalar);
  const start = startScript();
  // Relative addresses: whatever path a proxy has put before ours, they lead back here.
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
      .all(refuse);
  }
  return router;
}

/** The address of each script carries its version. */
const script: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  next();
};

/** Scalar styles by style elements, and tries requests out against the API. */
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
    // As the route table has them: what matters most comes first.
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    showDeveloperTools: 'never',
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: { preferredSecurityScheme: 'api_key' },
  };
  return `Scalar.createApiReference('#docs', ${JSON.stringify(configuration)});\n`;
}

/** From where `nx run gateway:docs` writes it, or from beside a bundle. */
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
