import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Context } from './context.ts';
import { accountRoutes } from './control/accounts.ts';
import { appRoutes } from './control/apps.ts';
import { controlErrors } from './control/control-error.ts';
import { faultRoutes } from './control/faults.ts';
import { sameOriginOnly } from './control/same-origin-only.ts';
import { statisticsRoutes } from './control/statistics.ts';
import { recordRoutes } from './control/records.ts';
import { platformRouter } from './platform-router.ts';
import { inboxRoutes, mailRoutes } from './mail/mail-routes.ts';
import { appSettingsRoutes } from './timeline/app-settings.ts';
import { timelineRoutes } from './timeline/timeline-routes.ts';
import { receiverRoutes, webhookPageRoutes, webhookRoutes } from './webhooks/webhook-routes.ts';

/** The sandbox's own paths first; everything else is a platform's. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', (_request, response) => void response.json({ status: 'ok' }));
  if (context.config.control) addOwnRoutes(app, context);
  app.use(platformRouter(context));
  app.use(brokenRequest(context));
  return app;
}

/** What only developers and tests use: pages, the control API, and a receiver of webhooks. */
function addOwnRoutes(app: Express, context: Context): void {
  app.use(receiverRoutes(context));
  const own = sameOriginOnly(context.config);
  app.get('/', own);
  app.use(['/_control', '/_apps', '/_dev', '/_webhooks'], own);
  app.use(timelineRoutes(context));
  app.use(appSettingsRoutes(context));
  app.use(inboxRoutes(context));
  app.use(webhookPageRoutes(context));
  app.use(
    '/_control',
    express.json({ limit: '1mb' }),
    faultRoutes(context),
    accountRoutes(context),
    appRoutes(context),
    recordRoutes(context),
    statisticsRoutes(context),
    mailRoutes(context),
    webhookRoutes(context),
  );
  app.use('/_control', controlErrors.unknownPath, controlErrors.handler);
}

/** A body that cannot be parsed never reaches a platform. */
function brokenRequest(context: Context): ErrorRequestHandler {
  return (error: { status?: number; message?: string }, _request, response, _next) => {
    context.log.warn({ err: error }, 'a request could not be parsed');
    if (response.headersSent) response.destroy();
    else response.status(error.status ?? 500).json({ error: { message: error.message ?? 'The request could not be parsed.' } });
  };
}
