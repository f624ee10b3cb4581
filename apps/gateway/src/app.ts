import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { serveOpenApi } from './api/openapi/serve-open-api.ts';
import { routes } from './api/routes.ts';
import { serveMedia } from './bytes/serve-media.ts';
import { serveTemplatePreview } from './bytes/serve-template-preview.ts';
import type { Context } from './context.ts';
import { allowConsole } from './http/middleware/allow-console.ts';
import { assignIds } from './http/middleware/assign-ids.ts';
import { observe } from './http/middleware/observe.ts';
import { requireHost } from './http/middleware/require-host.ts';
import { setSecurityHeaders } from './http/middleware/security-headers.ts';
import { serveVersion } from './http/middleware/serve-version.ts';
import { showLimits } from './http/middleware/show-limits.ts';
import { unknownPath } from './http/middleware/unknown-path.ts';
import { mountRoutes, rejectMethod } from './http/mount-routes.ts';
import { writeProblem } from './http/problems/problem.ts';
import { accountPages } from './pages/account/index.ts';
import { docsPage } from './pages/docs/docs-page.ts';
import { errorIndex, errorPage } from './pages/errors.ts';
import { home } from './pages/home.ts';
import { noConsole } from './pages/no-console.ts';
import { unsubscribePage } from './pages/unsubscribe.ts';

/** Below it a packet is a packet. */
const COMPRESSED_FROM_BYTES = 1024;
/** Pages of posts become hardly smaller by more effort, which takes twice as long. */
const FASTEST = 1;

/** Everything that a request passes, in order. What a route checks, in order, stands in `http/run-route.ts`. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', context.config.trustedProxies.length > 0 ? context.config.trustedProxies : false);

  app.use(setSecurityHeaders(context.config));
  app.use(assignIds);
  app.use(serveVersion);
  app.use(observe(context));
  app.use(requireHost);
  app.use(allowConsole(context));

  // Open to everybody, and not counted.
  app.use(['/media', '/templates', '/errors', '/docs', '/api/openapi.json'], showLimits(context));
  // Bytes pass as they are; everything else is text, and is compressed for those who can read that.
  app.use('/media', serveMedia(context));
  app.use('/templates', serveTemplatePreview(context));
  app.use(compress());

  const reject = rejectMethod(context, ['GET', 'HEAD']);
  app.route('/').get(showLimits(context), home(context)).all(reject);
  app.route('/errors').get(errorIndex(context)).all(reject);
  app.route('/errors/:code').get(errorPage(context)).all(reject);
  app.route('/api/openapi.json').get(serveOpenApi(context)).all(reject);
  app.use(docsPage(context, reject));
  const { devInboxUrl } = context.config.mail;
  if (devInboxUrl !== undefined) app.get('/_dev/mail', (_request, response) => response.redirect(devInboxUrl));

  app.use(unsubscribePage(context));
  const { baseUrl, consoleUrl } = context.config;
  if (consoleUrl === baseUrl) app.use(accountPages(context)).get('/businesses/*page', noConsole(context));

  mountRoutes(app, context, routes);

  app.use(unknownPath(context));
  app.use(writeProblem(context));
  return app;
}

/** Most callers that want every millisecond name no encoding, and need nothing of this. */
function compress(): RequestHandler {
  const compressing = compression({ threshold: COMPRESSED_FROM_BYTES, level: FASTEST });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) return compressing(request, response, next);
    response.vary('Accept-Encoding');
    next();
  };
}
