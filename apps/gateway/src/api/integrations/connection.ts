import { LOGIN_NAMES } from '@fanfare/connectors/sign-in';
import { ConnectionStatus, type Connection } from '@fanfare/contracts/publisher';
import { integrationFromProto, isoTime, type Urls, present } from '@fanfare/resources';
import { z } from 'zod';
import type { HandlerResult } from '../../http/route.ts';
import { ownId, text, webUrl } from '../../text/text.ts';
import { accountsOfLogins } from '../platforms/platform-lists.ts';
import { platformName } from '../platforms/platform-name.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { integration } from './integration.ts';

const offeredAccount = z
  .object({
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    username: z.string().nullable(),
    display_name: z.string(),
    page: z.string().nullable().meta({ description: 'The page, location or organization that the account represents.' }),
    picture_url: z.string().nullable(),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'The integration of this account in this business; null if it is not connected yet.' }),
  })
  .meta({ id: 'OfferedAccount' });

/** An attempt to connect accounts. */
export const connection = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    business_id: z.uuid(),
    platform: z.string(),
    status: z.string().meta({
      description:
        '`pending`: the person has not returned from the platform yet. `choosing`: the login owns several accounts; choose among `accounts`. `connected` or `failed`: the connection attempt has ended.',
      example: 'choosing',
    }),
    accounts: z.array(offeredAccount).meta({ description: 'The available accounts, while the status is choosing.' }),
    integrations: z.array(integration).meta({ description: 'The connected accounts, in their current state.' }),
    error: z.string().nullable().meta({
      description:
        'Why the connection failed: access_denied, platform_error, no_accounts, other_account (the login does not own the account to reconnect) or expired; null unless it failed.',
    }),
    error_message: z.string().nullable(),
    expires_at: timestamp().meta({ description: 'When the connection attempt expires.' }),
    created_at: timestamp(),
  })
  .meta({ id: 'Connection' });

/** The part that a person who returns from a platform may see. They may not be a member of the organization. */
export const arrivedConnection = connection
  .pick({ id: true, platform: true, status: true, error: true, error_message: true })
  .meta({ id: 'ArrivedConnection' });

export function arrivedFromProto(given: Connection): z.input<typeof arrivedConnection> {
  const { id, platform, error = null, errorMessage: error_message = null } = given;
  return { id, platform, status: connectionStatus(given), error, error_message };
}

export const connectBody = z
  .strictObject({
    platform: platformName(),
    login: z
      .enum(LOGIN_NAMES)
      .nullish()
      .meta({
        description: `The login method, if the platform has several. ${accountsOfLogins()}. Default: the login method of the account to reconnect, otherwise the first method that the operator has set up.`,
      }),
    redirect_uri: webUrl().nullish().meta({
      description:
        'Where to redirect the browser at the end: a page of the web app, or a URL that the operator has allowed. `connection_id`, `status` and, on failure, `error` are added to the query string. By default the browser shows a page of Fanfare.',
    }),
    integration_id: ownId()
      .nullish()
      .meta({ description: 'The account to reconnect. No other account is connected, and it keeps its id and settings.' }),
  })
  .meta({ id: 'ConnectIntegration' });

/** A started connection: where to redirect the person. */
export const begunConnection = z
  .object({
    id: z.uuid().meta({ description: 'The id of the connection. Read it to get the result.' }),
    authorize_url: z.string().meta({ description: 'The page of the platform where the person grants access.' }),
    state: z.string().meta({ description: 'Part of `authorize_url`; the platform sends it back. It works once. Treat it as a secret.' }),
    expires_at: timestamp().meta({ description: 'When the state expires.' }),
  })
  .meta({ id: 'BegunConnection' });

export const chooseAccountsBody = z
  .strictObject({
    account_ids: z.array(text(300).min(1)).min(1).max(1000).meta({ description: 'Ids from `accounts`. The other accounts are discarded.' }),
  })
  .meta({ id: 'ChooseAccounts' });

/** A response with a connection; its revision is computed from what can change in it. */
export function connectionResult(given: Connection | undefined, urls: Urls): HandlerResult<z.input<typeof connection>> {
  const found = present(given);
  const revisions = found.integrations.reduce((sum, { revision }) => sum + revision, 0);
  const revision = Object.values(ConnectionStatus).indexOf(found.status);
  return { body: connectionFromProto(found, urls), revision, reading: revisions + found.accounts.length };
}

function connectionFromProto(given: Connection, urls: Urls): z.input<typeof connection> {
  return {
    id: given.id,
    business_id: given.businessId,
    platform: given.platform,
    status: connectionStatus(given),
    accounts: given.accounts.map((one) => ({
      account_id: one.accountId,
      username: one.username || null,
      display_name: one.displayName,
      page: one.page || null,
      picture_url: one.pictureUrl ?? null,
      integration_id: one.integrationId || null,
    })),
    integrations: given.integrations.map((one) => integrationFromProto(one, urls)),
    error: given.error ?? null,
    error_message: given.errorMessage ?? null,
    expires_at: isoTime(given.expiresAt),
    created_at: isoTime(given.createdAt),
  };
}

export const connectionStatus = ({ status }: Connection): string => status.replace('CONNECTION_STATUS_', '').toLowerCase();
