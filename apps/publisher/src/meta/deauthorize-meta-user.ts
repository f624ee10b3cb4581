import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { withoutAccess } from '../accounts/revocations/without-access.ts';
import { putIntegration } from '../accounts/store/integrations.ts';
import { dropRevocationsOf } from '../accounts/store/revocations.ts';
import type { Context } from '../context.ts';
import { wakeDeliveries } from '../deliveries/store/wake-deliveries.ts';
import { emitIntegrationChanged } from '../accounts/events/emit-integration-changed.ts';
import { metaUserOf } from './meta-user.ts';
import { findIntegrationsOfUser, withdrawOffersOfUser } from './store/platform-users.ts';

const LAST_ERROR = 'The person who connected this account removed our app at the platform. Reconnect the account.';

/**
 * Ends the access to the connected accounts of a person who removed our app at Meta, in any organization.
 * @throws DomainError invalid_request if Meta did not sign the request
 */
export async function deauthorizeMetaUser(context: Context, signedRequest: string, { metadata, log }: Call): Promise<void> {
  const { db } = context;
  const user = metaUserOf(context, signedRequest);
  const changed = await context.transact(async (session) => {
    const own = await findIntegrationsOfUser(db, user, session);
    const withAccess = own.filter(({ tokens }) => tokens !== '');
    for (const integration of withAccess) {
      const ended = {
        status: 'INTEGRATION_STATUS_EXPIRED',
        last_error: LAST_ERROR,
        updated_at: now(integration.organization_id),
        revision: integration.revision + 1,
      } as const;
      const next = { ...withoutAccess(integration), ...ended };
      await putIntegration(db, next, session);
      await emitIntegrationChanged(context, session, next, metadata);
      await wakeDeliveries(db, next._id, session);
    }
    // Access that was removed need not be revoked.
    for (const { _id } of own) await dropRevocationsOf(db, _id, session);
    await withdrawOffersOfUser(db, user, LAST_ERROR, session);
    return withAccess.length;
  });
  log.info({ apps: user.ways, accounts: changed }, 'a person removed our app at Meta');
}
