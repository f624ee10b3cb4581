import { now } from '@fanfare/runtime';
import { metaUserOf } from '../meta/meta-user.ts';
import { withoutAccess } from '../accounts/revocations/without-access.ts';
import { emitIntegrationChanged } from '../events.ts';
import { putIntegration } from '../accounts/store/integrations.ts';
import { findIntegrationsOfUser, withdrawOffersOfUser } from '../meta/store/platform-users.ts';
import { dropRevocationsOf } from '../accounts/store/revocations.ts';
import { wakeDeliveries } from '../deliveries/store/wake-deliveries.ts';
import type { Rpc } from './rpc.ts';

const LAST_ERROR = 'The person who connected this account removed our app at the platform. Reconnect the account.';

export const deauthorizeMetaUser: Rpc<'deauthorizeMetaUser'> =
  (context) =>
  async ({ signedRequest }, { metadata, log }) => {
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
    return {};
  };
