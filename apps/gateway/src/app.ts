import express, { type Express } from 'express';
import type { Context } from './context.ts';
import { errorIndex, errorPage } from './error-page.ts';
import { serveMedia } from './media/serve-media.ts';
import { serveOpenApi } from './openapi/serve-open-api.ts';
import { assignIds } from './pipeline/assign-ids.ts';
import { mountRoutes } from './pipeline/mount-routes.ts';
import { observe } from './pipeline/observe.ts';
import { serveVersion } from './pipeline/serve-version.ts';
import { unknownPath } from './pipeline/unknown-path.ts';
import { writeProblem } from './problem.ts';
import { routes } from './routes/index.ts';

/** Everything that a request passes, in order. What a route checks, in order, stands in `pipeline/run-route.ts`. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', context.config.trustedProxies.length > 0 ? context.config.trustedProxies : false);

  app.use(assignIds);
  app.use(serveVersion);
  app.use(observe(context));

  // Without a credential: these explain the API, or their URL is the credential.
  app.get('/errors', errorIndex);
  app.get('/errors/:code', errorPage(context));
  app.get('/api/openapi.json', serveOpenApi(context));
  app.use('/media', serveMedia(context));
  const { devInboxUrl } = context.config.mail;
  if (devInboxUrl !== undefined) app.get('/_dev/mail', (_request, response) => response.redirect(devInboxUrl));

  mountRoutes(app, context, routes);

  app.use(unknownPath(context));
  app.use(writeProblem(context));
  return app;
}
