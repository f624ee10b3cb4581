import { ERROR_TABLE, notFound, type ErrorCode } from '@fanfare/errors';
import type { RequestHandler, Response } from 'express';
import type { Context } from './context.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';
import { escapeHtml } from './escape-html.ts';
import { exampleProblem } from './example-problem.ts';

/** What a problem's `type` leads to: a page for people. */
export function errorPage({ urls }: Pick<Context, 'urls'>): RequestHandler {
  return (request, response) => {
    const code = String(request.params['code']);
    if (!Object.hasOwn(ERROR_TABLE, code)) throw notFound('error code');
    send(response, code, explanation(code as ErrorCode, urls.error(code as ErrorCode)));
  };
}

/** All of them. */
export const errorIndex: RequestHandler = (_request, response) => {
  const rows = (Object.keys(ERROR_TABLE) as ErrorCode[])
    .sort((a, b) => ERROR_TABLE[a].httpStatus - ERROR_TABLE[b].httpStatus)
    .map((code) => {
      const { httpStatus, title } = ERROR_TABLE[code];
      return `<tr><td>${httpStatus}<td><a href="errors/${code}"><code>${code}</code></a><td>${escapeHtml(title)}`;
    });
  send(
    response,
    'Errors',
    `<h1>Errors</h1>
<p>Every error is an <code>application/problem+json</code> with a <code>code</code>. New codes may appear: treat one that you do not know by its status.</p>
<table><thead><tr><th>Status<th>Code<th>Title<tbody>
${rows.join('\n')}
</table>`,
  );
};

function explanation(code: ErrorCode, url: string): string {
  const { httpStatus, title } = ERROR_TABLE[code];
  const { meaning, causes, remedy } = ERROR_EXPLANATIONS[code];
  return `<p><a href="../errors">Errors</a></p>
<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, HTTP status ${httpStatus}</p>
<p>${escapeHtml(meaning)}</p>
<h2>Typical causes</h2>
<ul>
${causes.map((cause) => `<li>${escapeHtml(cause)}`).join('\n')}
</ul>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>Example</h2>
<pre>HTTP/1.1 ${httpStatus}
Content-Type: application/problem+json

${escapeHtml(JSON.stringify(exampleProblem(code, url), null, 2))}</pre>
<p>Quote <code>request_id</code> when you ask for help.</p>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}
h2{font-size:1.1rem;margin-top:2rem}code,pre{background:#8882;border-radius:4px}code{padding:.1em .3em}pre{padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}
td,th{text-align:left;padding:.3em 1em .3em 0;vertical-align:top}`;

function send(response: Response, title: string, body: string): void {
  response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'");
  response.setHeader('Cache-Control', 'public, max-age=3600');
  response.type('html').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Fanfare API</title>
<style>${STYLE}</style>
${body}
</html>
`);
}
