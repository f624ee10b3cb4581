import type { Connection } from '@fanfare/contracts/publisher';
import { ERROR_TABLE, type DomainError } from '@fanfare/errors';
import type { Request } from 'express';
import type { Config } from '../config.ts';
import { escapeHtml } from '../escape-html.ts';
import type { StoredAnswer } from '../idempotency/outcome.ts';
import { connectionStatus } from '../resources/connection.ts';
import { isReturnUrl } from './return-url.ts';

/** Programs get JSON, also those that say nothing of what they want. */
export const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

/** Leads a person's browser back to where the connection was begun, or tells how it went. */
export function answerBrowser(config: Config, connection: Connection): StoredAnswer {
  if (!isReturnUrl(config, connection.returnUrl)) return page(200, ...wordsFor(connection));
  const to = new URL(connection.returnUrl);
  to.searchParams.set('connection_id', connection.id);
  to.searchParams.set('status', connectionStatus(connection));
  if (connection.error !== undefined) to.searchParams.set('error', connection.error);
  return { status: 303, headers: { Location: to.href, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

/** The same for what went wrong before it was known whose it is. */
export const problemPage = (problem: DomainError): StoredAnswer =>
  page(ERROR_TABLE[problem.code].httpStatus, 'Not connected', problem.detail);

function wordsFor(connection: Connection): [title: string, text: string] {
  switch (connection.status) {
    case 'CONNECTION_STATUS_CONNECTED': {
      const names = connection.integrations.map(({ displayName }) => displayName).join(', ');
      return ['Connected', `${names} can be published to. You can close this window.`];
    }
    case 'CONNECTION_STATUS_CHOOSING':
      return [
        'Almost done',
        'Your login has several accounts. Go back to where you began and choose among them; you can close this window.',
      ];
    default:
      return ['Not connected', connection.errorMessage ?? 'Nothing was connected. Begin again.'];
  }
}

/** Holds nothing but text: no script, no form, no address. Its own address has the state in it, so it is told to nobody. */
function page(status: number, title: string, text: string): StoredAnswer {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Fanfare</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</html>
`,
  };
}
