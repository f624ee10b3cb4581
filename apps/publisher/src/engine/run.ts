import { connectorFor, type Call, type Connector, type Content } from '@fanfare/connectors';
import type { Deadline, Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { DeliveryDocument, HeldDelivery } from '../deliveries/store/deliveries.ts';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { credentialsOf } from '../accounts/tokens/credentials.ts';
import { secretsOf } from '../accounts/tokens/tokens.ts';

/** What one run of a delivery works with. */
export interface Run {
  readonly context: Context;
  readonly log: Logger;
  readonly connector: Connector;
  readonly content: Content;
  /** As it was last read; a refresh replaces it. */
  integration: IntegrationDocument;
  /** Whether the token was refreshed, or could not be, since the last step that succeeded. */
  refreshed: boolean;
  /** What the coming step has of a budget that calls spend. */
  taken?: { readonly amount: number; readonly at: Date };
  /** As it was last written; every write goes through its fence. */
  delivery: HeldDelivery;
}

/**
 * What a step is handed; a commit needs a deadline, and tells when it is sent.
 * @throws PlatformFailure `transient`, `not_sent`, when this process is not set up for the account
 */
export function callFor({ context, delivery, integration }: Run, commit?: { readonly deadline: Deadline; onSent(): void }): Call {
  const { app, ...tokens } = credentialsOf(context, integration);
  return {
    app,
    http: context.platforms.http(delivery.platform, commit?.deadline, secretsOf(tokens), commit?.onSent),
    account: { accountId: integration.account_id, username: integration.username, accessToken: tokens.accessToken },
  };
}

export const connectorOf = (delivery: DeliveryDocument): Connector => connectorFor(delivery.platform);
