import type { IntegrationChanged } from '@fanfare/contracts/publisher/events';
import type { EventHandler } from '@fanfare/events';
import type { Context } from '../../context.ts';
import { addNotices } from '../notices/add-notices.ts';
import { deleteNotice } from '../store/notices.ts';

/** Adds a notice that an account has expired: one until it is connected again. */
export const integrationChanged =
  (context: Context): EventHandler<IntegrationChanged> =>
  async ({ data: { integration } }, session) => {
    if (!integration) return;
    const { id, organizationId, businessId, status, updatedAt } = integration;
    const _id = `account:${id}`;
    if (status !== 'INTEGRATION_STATUS_EXPIRED') return deleteNotice(context.db, _id, session);
    const of = { organization_id: organizationId, business_id: businessId, subject_id: id };
    await addNotices(context, [{ _id, kind: 'account_expired', ...of, author: '', failures: [], at: updatedAt }], session);
  };
