import { ERROR_TABLE, notFound, type ErrorCode } from '@fanfare/errors';
import type { RequestHandler } from 'express';
import type { Context } from './context.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';
import { escapeHtml } from './escape-html.ts';

/** What a problem's `type` leads to: a page for people. */
export function errorPage({ urls }: Context): RequestHandler {
  return (request, response) => {
    const code = String(request.params['code']);
    if (!Object.hasOwn(ERROR_TABLE, code)) throw notFound('error code');
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.type('html').send(page(code as ErrorCode, urls.error(code as ErrorCode)));
  };
}

function page(code: ErrorCode, url: string): string {
  const { httpStatus, title } = ERROR_TABLE[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(code)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style>
<h1>${escapeHtml(title)}</h1>
<p><code>${escapeHtml(code)}</code>, HTTP status ${httpStatus}</p>
<p>${escapeHtml(ERROR_EXPLANATIONS[code])}</p>
<p>Answers with this error carry <code>"type": "${escapeHtml(url)}"</code>, and <code>request_id</code>: quote that when you ask for help.</p>
</html>
`;
}
