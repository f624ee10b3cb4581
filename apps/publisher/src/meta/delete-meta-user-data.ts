import { createHmac } from 'node:crypto';
import type { Call } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { dropRevocationsOf } from '../accounts/store/revocations.ts';
import type { Context } from '../context.ts';
import { wakeDeliveries } from '../deliveries/store/wake-deliveries.ts';
import { emitIntegrationChanged } from '../accounts/events/emit-integration-changed.ts';
import { metaUserOf, type MetaUser } from './meta-user.ts';
import { putDataDeletion, type DataDeletionDocument } from './store/data-deletions.ts';
import { eraseIntegration, findIntegrationsOfUser, withdrawOffersOfUser } from './store/platform-users.ts';

const LAST_ERROR = 'The person who connected this account asked the platform to erase their data.';

/**
 * Erases the connected accounts of a person at Meta, with everything that is stored about them, in any organization.
 * @throws DomainError invalid_request if Meta did not sign the request
 */
export async function deleteMetaUserData(context: Context, signedRequest: string, { metadata, log }: Call): Promise<DataDeletionDocument> {
  const { db } = context;
  const user = metaUserOf(context, signedRequest);
  const { deletion, accounts } = await context.transact(async (session) => {
    const own = await findIntegrationsOfUser(db, user, session);
    for (const integration of own) {
      await eraseIntegration(db, integration._id, session);
      await dropRevocationsOf(db, integration._id, session);
      await wakeDeliveries(db, integration._id, session);
      await emitIntegrationChanged(context, session, erased(integration), metadata);
    }
    await withdrawOffersOfUser(db, user, LAST_ERROR, session);
    return { deletion: await putDataDeletion(db, codeOf(user), session), accounts: own.length };
  });
  log.info({ apps: user.ways, accounts }, 'the data of a Meta user were erased');
  return deletion;
}

/** The same code for a repeated request, though nothing about the person is stored: only the holder of the app's secret can derive or attribute it. */
function codeOf({ app, ways, userId }: MetaUser): string {
  return createHmac('sha256', app.clientSecret).update(`fanfare data deletion ${ways[0]?.platform} ${userId}`).digest('hex').slice(0, 40);
}

/** The last event about the account. */
function erased({ _id, organization_id, business_id, platform, created_at, revision }: IntegrationDocument): IntegrationDocument {
  return {
    ...{ _id, organization_id, business_id, platform, created_at },
    ...{ account_id: '', username: '', display_name: '', page: '', scopes: [], tokens: '' },
    status: 'INTEGRATION_STATUS_DISCONNECTED',
    updated_at: now(organization_id),
    revision: revision + 1,
  };
}
