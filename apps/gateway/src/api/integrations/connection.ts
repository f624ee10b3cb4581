import { LOGIN_NAMES } from '@fanfare/connectors/sign-in';
import { ConnectionStatus, type Connection } from '@fanfare/contracts/publisher';
import { z } from 'zod';
import type { Answer } from '../../http/route.ts';
import { ownId, text, webUrl } from '../../text/text.ts';
import type { Urls } from '../../urls.ts';
import { platformName } from '../platforms/platform-name.ts';
import { present } from '../shared/present.ts';
import { selfLink } from '../shared/self-link.ts';
import { isoTime, timestamp } from '../shared/timestamp.ts';
import { integration, integrationFromProto } from './integration.ts';

const offeredAccount = z
  .object({
    account_id: z.string().meta({ description: "The platform's id of the account." }),
    username: z.string().nullable(),
    display_name: z.string(),
    page: z.string().nullable().meta({ description: 'The page, location or organization behind it.' }),
    picture_url: z.string().nullable(),
    integration_id: z.string().nullable().meta({ description: 'The integration that it is already, in this business; null for none.' }),
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
        'pending: the person has not come back from the platform; choosing: the login owns several accounts, and some of `accounts` are to be chosen; connected; or failed.',
      example: 'choosing',
    }),
    accounts: z.array(offeredAccount).meta({ description: 'While some are to be chosen: those on offer.' }),
    integrations: z.array(integration).meta({ description: 'The accounts that it connected, as they are now.' }),
    error: z.string().nullable().meta({
      description:
        'Of a failed one: access_denied, platform_error, no_accounts, other_account (not the one that was to be connected again) or expired.',
    }),
    error_message: z.string().nullable(),
    expires_at: timestamp().meta({ description: 'When it can no longer be gone on with.' }),
    created_at: timestamp(),
  })
  .meta({ id: 'Connection' });

/** What whoever comes back from a platform may know: it need not be a member of the organization. */
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
    login: z.enum(LOGIN_NAMES).nullish().meta({
      description:
        'Instagram alone has two ways to sign in: facebook, for accounts that are linked to a page of Facebook, which the person manages; instagram, for any professional account, without a page. When absent: the way of the account that is connected again, else the first of the two that the operator has set up.',
    }),
    redirect_uri: webUrl().nullish().meta({
      description:
        "Where the person's browser goes in the end, with `connection_id`, `status` and, when it failed, `error` added to its query: a page of the web app, or one that the operator has listed. Without it the browser shows a page of ours.",
    }),
    integration_id: ownId()
      .nullish()
      .meta({ description: 'The account to connect again: no other one is connected then. It keeps its id and its settings.' }),
  })
  .meta({ id: 'ConnectIntegration' });

/** What was begun: where to send the person. */
export const begunConnection = z
  .object({
    id: z.uuid().meta({ description: 'Of the connection: read it to learn how it went.' }),
    authorize_url: z.string().meta({ description: "The platform's page, on which the person allows access." }),
    state: z
      .string()
      .meta({ description: 'Stands in `authorize_url`, and comes back from the platform. Works once. Treat it as a secret.' }),
    expires_at: timestamp().meta({ description: 'When the state works no more.' }),
  })
  .meta({ id: 'BegunConnection' });

export const chooseAccountsBody = z
  .strictObject({
    account_ids: z.array(text(300).min(1)).min(1).max(1000).meta({ description: 'Of the `accounts` on offer; the others are forgotten.' }),
  })
  .meta({ id: 'ChooseAccounts' });

/** Has a revision made of what can change of it. */
export function connectionAnswer(given: Connection | undefined, urls: Urls): Answer<z.input<typeof connection>> {
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
