import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { listBusinessIntegrations } from '../store/integrations.ts';

/** @throws DomainError invalid_value that names the first account that this business has never had */
export async function checkIntegrations(db: Db, businessId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await listBusinessIntegrations(db, businessId)).map(({ _id }) => _id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown === -1) return;
  throw new DomainError('invalid_value', 'This business has no connected account with that id.', {
    param: `restrict_publish_to_integration_ids.${unknown}`,
  });
}
