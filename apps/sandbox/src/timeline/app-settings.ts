import express, { Router } from 'express';
import type { Context } from '../context.ts';
import { removeApp, type Removal } from '../platforms/graph/remove-app.ts';
import { metaApps, metaPlatforms } from '../platforms/registry.ts';
import { escape, htmlPage, pageHeaders } from '../pages/html-page.ts';

/** Without a referrer a browser would not send the form's origin either, which `sameOriginOnly` requires. */
const formHeaders = { ...pageHeaders, 'referrer-policy': 'same-origin' };

/** "Apps and websites", where a person removes an app of Meta's platforms. */
export function appSettingsRoutes(context: Context): Router {
  const { config, world } = context;
  const router = Router();
  router.get('/_apps', (_request, response) => {
    const rows = metaApps(config.apps).map(({ client_id, platform }) => {
      const grants = [...world.grants.values()].filter((one) => one.client_id === client_id && !one.revoked).length;
      return `<h2>${escape(client_id)}</h2><p>${escape(platform)}: ${grants === 0 ? 'has no access' : `has access, by ${grants} ${grants === 1 ? 'login' : 'logins'}`}.</p>
<form method="post" action="/_apps/${encodeURIComponent(client_id)}/remove"><p class="buttons"><button>Remove this app</button>
<button class="plain" name="delete_data" value="yes">Remove it, and ask it to delete my data</button></p></form>`;
    });
    response
      .set(formHeaders)
      .type('html')
      .send(page('Apps and websites', rows.join('')));
  });
  router.post('/_apps/:client_id/remove', express.urlencoded({ extended: false }), async (request, response) => {
    const app = metaApps(config.apps).find((one) => one.client_id === request.params['client_id']);
    if (!app)
      return void response.status(404).set(pageHeaders).type('html').send(page('Apps and websites', '<p>This app does not exist.</p>'));
    const deleteData = (request.body as Record<string, unknown> | undefined)?.['delete_data'] !== undefined;
    response
      .set(pageHeaders)
      .type('html')
      .send(page('App removed', outcome(await removeApp(context, app, deleteData))));
  });
  return router;
}

function outcome({ revoked_grants, notified }: Removal): string {
  const items = notified.map(({ url, status, response }) => {
    const link = (response as { url?: unknown } | null)?.url;
    const page = typeof link === 'string' && /^https?:\/\//.test(link) ? `: <a href="${escape(link)}">status of the deletion</a>` : '';
    return `<li><code>${escape(url)}</code> responded with ${status ?? escape(String(response))}${page}</li>`;
  });
  const nobody = '<p>The app was not notified: no callback is configured for it.</p>';
  return `<p>${revoked_grants} ${revoked_grants === 1 ? 'login was' : 'logins were'} revoked.</p>${items.length ? `<ul>${items.join('')}</ul>` : nobody}<p><a href="/_apps">Back</a></p>`;
}

const page = (title: string, content: string) =>
  htmlPage(
    `${title} · Sandbox`,
    `<p class="tag">Sandbox of ${metaPlatforms.map(({ name }) => name).join(' and ')}</p><h1>${escape(title)}</h1>${content}`,
  );
