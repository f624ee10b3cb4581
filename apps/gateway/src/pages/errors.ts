import { ERROR_TABLE, notFound, type ErrorCode } from '@fanfare/errors';
import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { sendResponse } from '../http/response/write-response.ts';
import { page } from '../http/html/page.ts';
import { wantsPage } from '../http/html/wants-page.ts';
import { ERROR_EXPLANATIONS } from '../http/openapi/error-explanations.ts';
import { exampleProblem } from '../http/openapi/example-problem.ts';
import { stateOf } from '../http/request/request-state.ts';
import { escapeHtml } from '../text/escape-html.ts';

/** The page about an error code, to which the `type` of a problem links. */
export function errorPage({ config, urls }: Pick<Context, 'config' | 'urls'>): RequestHandler {
  return (request, response) => {
    const code = String(request.params['code']);
    stateOf(response).isPage = wantsPage(request);
    if (!isCode(code)) throw notFound('error code');
    const { title } = ERROR_TABLE[code];
    sendResponse(request, response, page(config, { title, body: explanation(code, urls.error(code)), maxAgeS: MAX_AGE_S }));
  };
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_TABLE, code);
const MAX_AGE_S = 3600;

/** The page with all error codes. */
export function errorIndex({ config }: Pick<Context, 'config'>): RequestHandler {
  const rows = (Object.keys(ERROR_TABLE) as ErrorCode[])
    .sort((a, b) => ERROR_TABLE[a].httpStatus - ERROR_TABLE[b].httpStatus)
    .map((code) => {
      const { httpStatus, title } = ERROR_TABLE[code];
      return `<tr><td>${httpStatus}<td><a href="errors/${code}"><code>${code}</code></a><td>${escapeHtml(title)}`;
    });
  const body = `<p>Every error is an <code>application/problem+json</code> with a <code>code</code>. New codes may be added: handle unknown codes by their status.</p>
<table class="errors"><thead><tr><th>Status<th>Code<th>Title<tbody>
${rows.join('\n')}
</table>`;
  const shown = page(config, { title: 'Errors', body, maxAgeS: MAX_AGE_S });
  return (request, response) => sendResponse(request, response, shown);
}

function explanation(code: ErrorCode, url: string): string {
  const { httpStatus } = ERROR_TABLE[code];
  const { meaning, causes, remedy } = ERROR_EXPLANATIONS[code];
  return `<p><code>${code}</code>, HTTP status ${httpStatus}</p>
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
<p>Include <code>request_id</code> when you contact support.</p>
<p><a href="../errors">All errors</a></p>`;
}
