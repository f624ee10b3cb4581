import { CURRENT_VERSION, FLOOR_VERSION, VERSIONS } from '@fanfare/resources';
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { wantsPage } from '../http/html/wants-page.ts';

/** The root: redirects people to the documentation, and returns URLs to programs. */
export function home({ config }: Pick<Context, 'config'>): RequestHandler {
  const { baseUrl } = config;
  const index = JSON.stringify({
    name: 'Fanfare API',
    current_version: CURRENT_VERSION,
    default_version: FLOOR_VERSION,
    versions: VERSIONS,
    api_url: `${baseUrl}/api`,
    docs_url: `${baseUrl}/docs`,
    changelog_url: `${baseUrl}/docs#description/changelog`,
    openapi_url: `${baseUrl}/api/openapi.json`,
    errors_url: `${baseUrl}/errors`,
  });
  return (request, response) => {
    response.vary('Accept');
    // A relative URL, so that it works behind a proxy that adds a prefix to the path.
    if (wantsPage(request)) return response.redirect(302, 'docs');
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.type('json').send(index);
  };
}
