import { optionsOver } from '@fanfare/connectors/preflight';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { withTrackedLinks } from '../content/domain/with-tracked-links.ts';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { begunEntry } from '../deliveries/domain/delivery-entries.ts';
import type { LeasedDelivery } from '../deliveries/delivery.ts';
import { withEntries, withUnwritten } from '../deliveries/store/deliveries.ts';
import { connectorOf } from './run.ts';
import { saveAndEmit } from './save-and-emit.ts';

/**
 * Marks the delivery as processing, for this account if it exists. From now on the account's settings, and then its observed options, fill in
 * the post's own options, and links have what the business adds to them: every attempt sends the same. Reported to callers only for deliveries with media; a text finishes too quickly, or is
 * reported when it has to wait: its start is stored with its first step.
 */
export async function begin(
  context: Context,
  row: LeasedDelivery,
  integration: Pick<IntegrationDocument, 'account_id' | 'grant_id' | 'observed_options' | 'settings'> | null,
): Promise<LeasedDelivery> {
  const delivery = withEntries(row, row.status === 'DELIVERY_STATUS_PENDING' ? [begunEntry] : []);
  const account = integration && delivery.account_id === undefined ? { account_id: accountOf(integration, delivery) } : {};
  if (delivery.status !== 'DELIVERY_STATUS_PENDING') return withUnwritten(delivery, account);
  const { observed_options = {}, settings = {} } = integration ?? {};
  const options = optionsOver(optionsOver(observed_options, settings), delivery.content.options ?? {});
  const content = Object.keys(options).length > 0 ? { ...delivery.content, options } : delivery.content;
  const { platform, post_id, business_id } = delivery;
  const sent = withTrackedLinks(content, connectorOf(delivery), { platform, post_id, business_id });
  const change = { status: 'DELIVERY_STATUS_PROCESSING', ...account, ...(sent !== delivery.content && { content: sent }) } as const;
  return delivery.content.media_ids.length > 0 ? saveAndEmit(context, delivery, change) : withUnwritten(delivery, change);
}

/**
 * The account by which deliveries recognize each other's posts. Sandboxes give the same ids to different accounts and posts, and one that was restarted without
 * its data gives them again: there the account is that of one login.
 */
function accountOf(
  { account_id, grant_id }: Pick<IntegrationDocument, 'account_id' | 'grant_id'>,
  { organization_id }: LeasedDelivery,
): string {
  return isCanary(organization_id) && grant_id !== undefined ? grant_id : account_id;
}
