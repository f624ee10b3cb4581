import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { sendResponse } from '../http/response/write-response.ts';
import { page, type Page } from '../http/html/page.ts';
import { escapeHtml } from '../text/escape-html.ts';

const RECONNECT = /^\/businesses\/([\da-f-]{36})\/integrations\/([\da-f-]{36})\/reconnect$/;
const POST = /^\/businesses\/([\da-f-]{36})\/posts\/([\da-f-]{36})$/;

/**
 * The pages at the web app's URLs in an installation without one: people who follow such a URL, from a mail or a response, read how to do the same with the
 * API. The caller is unknown, so the pages show nothing that is not in the URL.
 */
export const noConsole =
  ({ config }: Pick<Context, 'config'>): RequestHandler =>
  (request, response, next) => {
    // For people: a client that accepts only JSON is a program.
    if (request.accepts(['html', 'json']) !== 'html') return next();
    const { path } = request;
    sendResponse(request, response, page(config, reconnectPage(path) ?? postPage(config, path) ?? missingPage(path)));
  };

function reconnectPage(path: string): Page | undefined {
  const [, businessId, integrationId] = RECONNECT.exec(path) ?? [];
  if (businessId === undefined || integrationId === undefined) return undefined;
  return {
    title: 'Reconnect this account',
    body: `<p>The platform no longer accepts our access to this account, so a person has to sign in again.
The account keeps its id, its settings and its scheduled posts.</p>
<p>This installation of Fanfare has no web app. Get a sign-in link from the API:</p>
<pre>POST /api/businesses/${businessId}/integrations/connect
{"platform": "…", "integration_id": "${integrationId}"}</pre>
<p>Then open the <code>authorize_url</code> of the response, and sign in with the login that owns the account.</p>`,
  };
}

function postPage(config: Config, path: string): Page | undefined {
  const [, businessId, postId] = POST.exec(path) ?? [];
  if (businessId === undefined || postId === undefined) return undefined;
  const [api, docs, signIn] = [`${config.baseUrl}/api${path}`, `${config.baseUrl}/docs`, `${config.consoleUrl}/sign-in`].map(escapeHtml);
  return {
    title: 'View this post',
    body: `<p>This installation of Fanfare has no web app, so you can view the post only through the API. If you came here from an email about a failure, that email explains what went wrong.</p>
<p>The id of the post is <code>${postId}</code>. If you do not use the API yourself, send the id to the person who does.</p>
<h2>Get its status</h2>
<pre>curl ${api} \\
  -H 'Authorization: Bearer …'</pre>
<p>Replace the dots with an API key, or with the <code>access_token</code> that you get when you <a href="${signIn}">sign in</a>.
In the response, <code>publish_results</code> has an entry for each account: <code>post_url</code> is the address of the published post, <code>error_message</code> the reason why publishing failed.</p>
<h2>Publish it again</h2>
<p>After you have fixed the problem, this request publishes the post to the accounts that do not have it yet:</p>
<pre>curl -X POST ${api}/publish \\
  -H 'Authorization: Bearer …'</pre>
<p>An account with the error <code>unknown_outcome</code> may have the post: check the account first. See the <a href="${docs}">documentation</a> for details.</p>`,
  };
}

const missingPage = (path: string): Page => ({
  status: 404,
  title: 'No web app',
  body: `<p>This installation of Fanfare has no web app. The API returns the same data:</p>
<pre>GET ${escapeHtml(`/api${path}`)}</pre>`,
});
