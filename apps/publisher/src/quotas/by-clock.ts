import { connectorFor } from '@fanfare/connectors';
import { aheadMs, now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { clockedId, copyQuota } from './store/quotas.ts';

/**
 * Quotas of an organization whose test clock was moved are counted by its time, in documents of their own: its use of past days is not that of today, and no
 * other organization notices what a simulation uses.
 * @param id of the quota
 */
export function byClock(organizationId: string, id: string): { readonly id: string; readonly now?: Date } {
  return aheadMs(organizationId) > 0 ? { id: clockedId(organizationId, id), now: now(organizationId) } : { id };
}

/** Copies what an organization has used of its quotas, and of those of its accounts, before its test clock is moved for the first time. */
export async function copyQuotas(
  db: Db,
  organizationId: string,
  accounts: readonly Pick<IntegrationDocument, 'platform' | 'account_id'>[],
): Promise<void> {
  const copies = new Map<string, string | undefined>();
  for (const { platform, account_id } of accounts) {
    for (const { name, of } of connectorFor(platform).quotas ?? []) {
      const id = `${platform}/${name}`;
      if (of === 'app') copies.set(id, organizationId);
      else copies.set(`${id}/${account_id}`, undefined);
    }
  }
  for (const [id, key] of copies) await copyQuota(db, id, clockedId(organizationId, id), key);
}
