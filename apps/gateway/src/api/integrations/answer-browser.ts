import { platformLabel } from '@fanfare/connectors/platform';
import type { Connection } from '@fanfare/contracts/publisher';
import type { Config } from '../../config.ts';
import { plainPage } from '../../http/html/page.ts';
import type { StoredAnswer } from '../../http/idempotency/outcome.ts';
import { connectionStatus } from './connection.ts';
import { isReturnUrl } from './return-url.ts';

/** Leads a person's browser back to where the connection was begun, or tells how it went. */
export function answerBrowser(config: Config, connection: Connection): StoredAnswer {
  if (!isReturnUrl(config, connection.returnUrl)) return plainPage(config, 200, ...wordsFor(connection));
  const to = new URL(connection.returnUrl);
  to.searchParams.set('connection_id', connection.id);
  to.searchParams.set('status', connectionStatus(connection));
  if (connection.error !== undefined) to.searchParams.set('error', connection.error);
  return { status: 303, headers: { Location: to.href, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

/** For who came back with a state that nobody knows, or with nothing. */
export const unknownArrivalPage = (config: Config): StoredAnswer =>
  plainPage(
    config,
    400,
    'This link does not work any more',
    'It works once, within ten minutes after somebody began to connect an account, and for another hour it shows how that went.',
    'If you have seen already that the account is connected, nothing is left to do. Otherwise go back to where you began, and connect the account again.',
  );

type Words = [title: string, ...paragraphs: string[]];

function wordsFor(connection: Connection): Words {
  const platform = platformLabel(connection.platform);
  switch (connection.status) {
    case 'CONNECTION_STATUS_CONNECTED': {
      const names = connection.integrations.map(({ displayName }) => displayName).join(', ');
      return ['Connected', `Fanfare can publish to ${names} on ${platform} from now on.`, 'You can close this window.'];
    }
    case 'CONNECTION_STATUS_CHOOSING':
      return [
        'Almost done',
        `Your login on ${platform} has several accounts. Go back to where you began and choose there, within ten minutes, which of them Fanfare may publish to.`,
        'You can close this window.',
      ];
    case 'CONNECTION_STATUS_PENDING':
      return ['One moment', `We are asking ${platform} about your accounts. Reload this page in a few seconds to see how it went.`];
    default:
      return ['Not connected', whyNot(connection, platform), 'Go back to where you began to connect it again. You can close this window.'];
  }
}

function whyNot({ error, errorMessage }: Connection, platform: string): string {
  switch (error) {
    case 'access_denied':
      return `You did not allow Fanfare to publish on ${platform}, so nothing was connected.`;
    case 'no_accounts':
      return `You are signed in to ${platform}, but this login has no account that can be published to. Is it another login that has the page, the channel or the business account?`;
    case 'other_account':
      return `This login on ${platform} does not own the account that was to be connected again. Sign out there first, and come back with the login that owns it.`;
    case 'expired':
      return 'It took more than ten minutes, so nothing was connected.';
    default:
      return errorMessage ?? `${platform} did not let us in, so nothing was connected.`;
  }
}
