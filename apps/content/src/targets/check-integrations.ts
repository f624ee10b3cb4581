import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { listBusinessIntegrations } from './store/integrations.ts';

/** @throws DomainError invalid_value with the accounts that this business has never had */
export async function checkIntegrations(db: Db, businessId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await listBusinessIntegrations(db, businessId)).map(({ _id }) => _id));
  const detail = 'This business has no connected account with this id.';
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ param: `restrict_publish_to_integration_ids.${index}`, code: 'invalid_value' as const, detail }],
  );
  const [first] = errors;
  if (first) throw new DomainError('invalid_value', detail, { param: first.param, errors });
}
