import type { EndpointDisabled } from '@fanfare/contracts/webhooks/events';
import type { EventHandler } from '@fanfare/events';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { neutral } from '../notices/neutral.ts';
import { listOwnersAnd } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';

const MAX_NAME = 100;
const MAX_ERROR = 300;

/** Mails the owners: they decide whether the endpoint is still needed. */
export const endpointDisabled =
  (context: Context): EventHandler<EndpointDisabled> =>
  async ({ data: { endpoint, lastError } }, session) => {
    if (!endpoint) return;
    const { id: endpointId, organizationId, revision, url, disabledReason } = endpoint;
    const organization = await findOrganization(context.db, organizationId);
    if (!organization || organization.suspended_at) return;
    const owners = await listOwnersAnd(context.db, organizationId, []);
    for (const { user } of owners.filter(({ user: { email_verified, disabled_at } }) => email_verified && !disabled_at)) {
      const data = {
        name: user.name,
        organization: neutral(organization.name, MAX_NAME),
        // Enough to recognize it. A path may be a secret.
        host: new URL(url).host,
        isGone: disabledReason === 'gone',
        endpointId,
        description: neutral(endpoint.description, MAX_NAME),
        lastError: neutral(lastError, MAX_ERROR),
        path: `/settings/webhooks/${endpointId}`,
      };
      const id = derivedId(endpointId, `disabled at revision ${revision}, to ${user._id}`);
      await queueMail(context, { id, to: user.email, template: 'webhook_disabled', data }, session);
    }
  };
