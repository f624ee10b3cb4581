import { setTimeout as wait } from 'node:timers/promises';
import { PLATFORMS, type Platform } from '@fanfare/connectors';
import type { PutPauseRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import type { Logger } from '@fanfare/runtime';
import { findIntegration, hasIntegrations } from '../accounts/store/integrations.ts';
import type { Context } from '../context.ts';
import { PAUSES_TTL_MS } from './create-pause-reader.ts';
import { putPause as put, type PauseDocument } from './store/pauses.ts';

/**
 * Returns when no new commit of what it pauses can begin.
 * @throws DomainError invalid_value, invalid_request, missing_field; resource_not_found if there is nothing to pause
 */
export async function putPause(
  { db }: Context,
  { platform, organizationId, integrationId, reason, suspension }: PutPauseRequest,
  log: Logger,
): Promise<PauseDocument> {
  if (platform !== undefined && !PLATFORMS.includes(platform as Platform)) {
    throw new DomainError('invalid_value', `"${platform}" is not a platform. Use one of ${PLATFORMS.join(', ')}.`, { param: 'platform' });
  }
  const parts = Object.entries({ platform, organization: organizationId, integration: integrationId }).filter(([, id]) => id !== undefined);
  if (parts.length > 1)
    throw new DomainError('invalid_request', 'A pause applies to everything, or to one platform, organization or account.');
  if (integrationId !== undefined && !(await findIntegration(db, integrationId))) {
    throw new DomainError('resource_not_found', 'There is no account with this id.', { param: 'integration_id' });
  }
  if (suspension && organizationId === undefined) {
    throw new DomainError('missing_field', 'A suspension requires an organization.', { param: 'organization_id' });
  }
  if (organizationId !== undefined && !suspension && !(await hasIntegrations(db, organizationId))) {
    const why = 'No account was ever connected for an organization with this id, so there is nothing to pause.';
    throw new DomainError('resource_not_found', why, { param: 'organization_id' });
  }
  const pause = await put(db, {
    _id: parts.map(([part, id]) => `${suspension ? 'suspension' : part}:${id}`).at(0) ?? 'all',
    ...(platform !== undefined && { platform }),
    ...(organizationId !== undefined && { organization_id: organizationId }),
    ...(integrationId !== undefined && { integration_id: integrationId }),
    reason,
  });
  await wait(PAUSES_TTL_MS);
  log.warn({ pause: pause._id, reason }, 'deliveries are paused');
  return pause;
}
