import { platformLabel } from '@fanfare/connectors/platform';
import type { Connection } from '@fanfare/contracts/publisher';
import type { Config } from '../../config.ts';
import { plainPage } from '../../http/html/page.ts';
import type { StoredResponse } from '../../http/idempotency/outcome.ts';
import { connectionStatus } from './connection.ts';
import { isReturnUrl } from './return-url.ts';

/** Redirects a browser back to where the connection was started, or shows the result on a page. */
export function browserResult(config: Config, connection: Connection): StoredResponse {
  if (!isReturnUrl(config, connection.returnUrl)) return plainPage(config, 200, ...wordsFor(connection));
  const to = new URL(connection.returnUrl);
  to.searchParams.set('connection_id', connection.id);
  to.searchParams.set('status', connectionStatus(connection));
  if (connection.error !== undefined) to.searchParams.set('error', connection.error);
  return { status: 303, headers: { Location: to.href, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

/** For a browser that comes back with an unknown state, or without one. */
export const unknownArrivalPage = (config: Config): StoredResponse =>
  plainPage(
    config,
    400,
    'This link no longer works',
    'The link works once, within ten minutes after someone started to connect an account. For another hour it shows the result.',
    'If you have already seen that the account is connected, there is nothing left to do. Otherwise go back to where you started and connect the account again.',
  );

type Words = [title: string, ...paragraphs: string[]];

function wordsFor(connection: Connection): Words {
  const platform = platformLabel(connection.platform);
  switch (connection.status) {
    case 'CONNECTION_STATUS_CONNECTED': {
      const names = connection.integrations.map(({ displayName }) => displayName).join(', ');
      return ['Connected', `Fanfare can now publish to ${names} on ${platform}.`, 'You can close this window.'];
    }
    case 'CONNECTION_STATUS_CHOOSING':
      return [
        'Almost done',
        `Your ${platform} login has several accounts. Go back to where you started and choose, within ten minutes, which of them Fanfare may publish to.`,
        'You can close this window.',
      ];
    case 'CONNECTION_STATUS_PENDING':
      return ['One moment', `We are getting your accounts from ${platform}. Reload this page in a few seconds to see the result.`];
    default:
      return ['Not connected', whyNot(connection, platform), 'To try again, go back to where you started. You can close this window.'];
  }
}

function whyNot({ error, errorMessage }: Connection, platform: string): string {
  switch (error) {
    case 'access_denied':
      return `You did not allow Fanfare to publish on ${platform}, so no account was connected.`;
    case 'no_accounts':
      return `You are signed in to ${platform}, but this login has no account that Fanfare can publish to. The page, channel or business account may belong to another login.`;
    case 'other_account':
      return `This ${platform} login does not own the account to reconnect. Sign out of ${platform} and try again with the login that owns it.`;
    case 'expired':
      return 'The link expired after ten minutes, so no account was connected.';
    default:
      return errorMessage ?? `${platform} rejected the request, so no account was connected.`;
  }
}
