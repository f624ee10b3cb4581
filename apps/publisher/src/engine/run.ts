import { accountOf, connectorFor, type Call, type Connector, type Content } from '@fanfare/connectors';
import type { Deadline, Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { DeliveryDocument, LeasedDelivery } from '../deliveries/delivery.ts';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { credentialsOf } from '../accounts/tokens/credentials.ts';
import { secretsOf } from '../accounts/tokens/tokens.ts';

/** A delivery leased by this process. */
export interface Leased {
  readonly context: Context;
  readonly log: Logger;
  /** As last written; every write is fenced. */
  readonly delivery: LeasedDelivery;
}

/** What one turn of a delivery works with. Each turn makes a new one for the next. */
export interface Run extends Leased {
  readonly connector: Connector;
  readonly content: Content;
  readonly integration: IntegrationDocument;
  readonly tokens: TokenState;
  /** What the next call has reserved of a quota that calls use. */
  readonly reserved?: Reservation;
  /** Deadline of the commit that began in this turn. */
  readonly commitDeadline?: Deadline;
}

/**
 * - `usable`: as they were read.
 * - `expiring`: better refreshed before they are used.
 * - `rejected`: the platform rejected them, so they are refreshed before anything else happens.
 * - `refreshed`: refreshed, or known to be revoked for good, since the last step that succeeded. If they are rejected now, the account has to be
 *   reconnected.
 */
export type TokenState = 'usable' | 'expiring' | 'rejected' | 'refreshed';

interface Reservation {
  readonly amount: number;
  readonly at: Date;
}

/**
 * The arguments of a step.
 * @param onSent called when the first byte of a commit was sent
 * @throws PlatformFailure `transient`, `not_sent`, when this process is not configured for the account
 */
export function callFor({ context, delivery, integration, commitDeadline }: Run, onSent?: () => void): Call {
  const { app, ...tokens } = credentialsOf(context, integration);
  const { account_id: accountId, username } = integration;
  return {
    http: context.platforms.http(delivery.platform, commitDeadline, secretsOf(tokens), onSent),
    account: accountOf(delivery.platform, app, { accountId, username, accessToken: tokens.accessToken }),
  };
}

export const connectorOf = (delivery: DeliveryDocument): Connector => connectorFor(delivery.platform);
