import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { StoredResponse } from '../idempotency/outcome.ts';

export interface Page {
  readonly status?: number;
  /** Plain text. */
  readonly title: string;
  /** HTML; text from others must be escaped in it. */
  readonly body: string;
  /** How long it may be cached. Without it, never: most pages are about one person. */
  readonly maxAgeS?: number;
  /** It has a form that is submitted to the gateway. */
  readonly hasForm?: boolean;
}

/**
 * A page for people: text, links and forms, without scripts and without resources from other hosts. Some addresses contain a secret, so no referrer
 * is sent.
 */
export function page(
  config: Pick<Config, 'baseUrl' | 'consoleUrl'>,
  { status = 200, title, body, maxAgeS, hasForm }: Page,
): StoredResponse {
  const name = escapeHtml(title);
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${POLICY}; form-action ${hasForm ? "'self'" : "'none'"}`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      ...(maxAgeS !== undefined && { 'Cache-Control': `public, max-age=${maxAgeS}` }),
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} · Fanfare</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<header><a href="${escapeHtml(config.consoleUrl)}/">Fanfare</a><a href="${escapeHtml(config.baseUrl)}/docs">API documentation</a></header>
<main>
<h1>${name}</h1>
${body}
</main>
</html>
`,
  };
}

/** A page of plain text, one paragraph for each text. */
export const plainPage = (config: Parameters<typeof page>[0], status: number, title: string, ...paragraphs: string[]): StoredResponse =>
  page(config, { status, title, body: paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n') });

const STYLE = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:0 1.25rem 3rem;overflow-wrap:break-word}
header,main{max-width:40rem;margin:0 auto}header{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;padding:1.25rem 0;margin-bottom:1.5rem;border-bottom:1px solid #8884}
header a:first-child{font-weight:700;font-size:1.15rem;color:inherit;text-decoration:none}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}a{color:#3559e0}
code,pre{font-family:ui-monospace,monospace;font-size:.9em;background:#8882;border-radius:4px}code{padding:.1em .3em;overflow-wrap:anywhere}pre{padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}pre code{padding:0;background:none}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.45em .9em .45em 0;vertical-align:top;border-bottom:1px solid #8883}
label{display:block;font-weight:600;margin:1rem 0 .25rem}input{font:inherit;width:100%;padding:.55rem .7rem;border:1px solid #8889;border-radius:8px}
button{font:inherit;font-weight:600;margin-top:1.25rem;padding:.65rem 1.25rem;border:0;border-radius:8px;background:#3559e0;color:#fff;cursor:pointer}
.hint{opacity:.75;font-size:.9rem;margin:.25rem 0 0}[role=alert]{padding:.75rem 1rem;border-left:4px solid #d92d20;background:#d92d2018;border-radius:4px}
.errors code{white-space:nowrap}@media(prefers-color-scheme:dark){a{color:#8ea6ff}}
@media(max-width:30rem){.errors thead{display:none}.errors tr{display:block;padding:.6em 0;border-bottom:1px solid #8883}.errors td{display:inline;border:0;padding:0 .5em 0 0}.errors td:last-child{display:block}}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
