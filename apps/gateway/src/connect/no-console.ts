import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { escapeHtml } from '../escape-html.ts';
import { page } from '../pages/page.ts';
import { sendAnswer } from '../pipeline/answer.ts';

const RECONNECT = /^\/businesses\/([\da-f-]{36})\/integrations\/([\da-f-]{36})\/reconnect$/;

/** Stands where the web app's pages would be in an installation without one: people who follow such an address are told how the API does the same. */
export const noConsole =
  ({ config }: Pick<Context, 'config'>): RequestHandler =>
  (request, response, next) => {
    // For people: only who wants nothing but JSON is a program.
    if (request.accepts(['html', 'json']) !== 'html') return next();
    const [, businessId, integrationId] = RECONNECT.exec(request.path) ?? [];
    const shown =
      businessId === undefined || integrationId === undefined
        ? {
            status: 404,
            title: 'No web app',
            body: `<p>This installation of Fanfare has no web app. The API has what this page would show:</p>
<pre>GET ${escapeHtml(`/api${request.path}`)}</pre>`,
          }
        : { title: 'Connect this account again', body: reconnecting(businessId, integrationId) };
    sendAnswer(request, response, page(config, shown));
  };

const reconnecting = (
  businessId: string,
  integrationId: string,
) => `<p>The platform no longer lets us in, so somebody has to sign in there once more.
The account keeps its id, its settings and its scheduled posts.</p>
<p>This installation of Fanfare has no web app. Ask the API for a link to sign in with:</p>
<pre>POST /api/businesses/${businessId}/integrations/connect
{"platform": "…", "integration_id": "${integrationId}"}</pre>
<p>Then open the <code>authorize_url</code> of the response, and sign in with the login that owns the account.</p>`;
