import type { EraseRequest } from '@fanfare/contracts/erasure';
import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { deleteAnchors, recordErasedChains } from './store/anchors.ts';
import { deleteUpTo, findOfBusiness } from './store/entries.ts';

/**
 * Erases a batch of the entries of businesses: the documents that their chains are about must be erased already, so that nothing is appended any more. Unless
 * the whole organization is erased, with its anchors, it is first recorded which chains are erased: its anchors name them, and `verifyLedger` would miss them.
 * @param limit about so many entries; chains are erased as a whole
 * @returns how many it erased; 0 means that nothing is left
 */
export async function eraseChains(
  { db, log }: { readonly db: Db; readonly log: Logger },
  erased: EraseRequest,
  limit: number,
): Promise<number> {
  const { organizationId, businessIds, wholeOrganization } = erased;
  for (const businessId of businessIds) {
    const entries = await findOfBusiness(db, { organizationId, businessId }, limit);
    const chains = [...new Set(entries.map(({ chain }) => chain))];
    const last = chains.at(-1);
    if (last === undefined) continue;
    if (!wholeOrganization) {
      const { n, hash } = await recordErasedChains(db, organizationId, chains);
      log.info({ organization_id: organizationId, business_id: businessId, anchor: n, hash, chains: chains.length }, 'timelines erased');
    }
    await deleteUpTo(db, { organizationId, businessId }, last);
    return entries.length;
  }
  return wholeOrganization ? deleteAnchors(db, organizationId, limit) : 0;
}
