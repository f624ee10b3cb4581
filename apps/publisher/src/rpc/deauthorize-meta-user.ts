import { metaUserOf } from '../accounts/meta-user.ts';
import { emitIntegrationChanged } from '../events.ts';
import { putIntegration, type IntegrationDocument } from '../store/integrations.ts';
import { findIntegrationsOfUser, withdrawOffersOfUser } from '../store/platform-users.ts';
import { dropRevocationsOf } from '../store/revocations.ts';
import { wakeDeliveries } from '../store/wake-deliveries.ts';
import type { Rpc } from './rpc.ts';

const SAID = 'The person who connected this account has removed our access at the platform.';

export const deauthorizeMetaUser: Rpc<'deauthorizeMetaUser'> =
  (context) =>
  async ({ signedRequest }, { metadata, log }) => {
    const { db } = context;
    const user = metaUserOf(context, signedRequest);
    const changed = await context.transact(async (session) => {
      const own = await findIntegrationsOfUser(db, user, session);
      const withAccess = own.filter(({ tokens }) => tokens !== '');
      for (const integration of withAccess) {
        const next = withoutAccess(integration);
        await putIntegration(db, next, session);
        await emitIntegrationChanged(db, session, next, metadata.flowId);
        await wakeDeliveries(db, next._id, session);
      }
      // Access that is gone need not be taken back.
      for (const { _id } of own) await dropRevocationsOf(db, _id, session);
      await withdrawOffersOfUser(db, user, SAID, session);
      return withAccess.length;
    });
    log.info({ platforms: user.platforms, accounts: changed }, 'a person removed our app at Meta');
    return {};
  };

/** As when the platform says that the grant is gone. A refresh that is under way loses its lock, and with it what it gets. */
function withoutAccess(current: IntegrationDocument): IntegrationDocument {
  const { reconnect_by: ______, refreshing_until: _, token_expires_at: __, token_check_at: ___, refresh_failures: ____, ...kept } = current;
  const revision = current.revision + 1;
  return { ...kept, tokens: '', status: 'INTEGRATION_STATUS_EXPIRED', last_error: SAID, updated_at: new Date(), revision };
}
