import type { Connection } from '@fanfare/contracts/publisher';
import { ERROR_TABLE, type DomainError } from '@fanfare/errors';
import type { Request } from 'express';
import type { Config } from '../config.ts';
import type { StoredAnswer } from '../idempotency/outcome.ts';
import { connectionStatus } from '../resources/connection.ts';
import { plainPage } from './plain-page.ts';
import { isReturnUrl } from './return-url.ts';

/** Programs get JSON, also those that say nothing of what they want. */
export const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

/** Leads a person's browser back to where the connection was begun, or tells how it went. */
export function answerBrowser(config: Config, connection: Connection): StoredAnswer {
  if (!isReturnUrl(config, connection.returnUrl)) return plainPage(200, ...wordsFor(connection));
  const to = new URL(connection.returnUrl);
  to.searchParams.set('connection_id', connection.id);
  to.searchParams.set('status', connectionStatus(connection));
  if (connection.error !== undefined) to.searchParams.set('error', connection.error);
  return { status: 303, headers: { Location: to.href, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

/** The same for what went wrong before it was known whose it is. */
export const problemPage = (problem: DomainError): StoredAnswer =>
  plainPage(ERROR_TABLE[problem.code].httpStatus, 'Not connected', problem.detail);

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
