import type { EraseRequest } from '@fanfare/contracts/erasure';
import type { Collection, Document, Filter } from 'mongodb';

/**
 * Deletes a batch of documents. For steps of an erasure, which call it until nothing is left.
 * @returns how many it found; 0 means that nothing is left
 */
export async function deleteSome<T extends Document>(collection: Collection<T>, filter: Filter<T>, limit: number): Promise<number> {
  const found = await collection
    .find(filter, { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } } as Filter<T>);
  return found.length;
}

/** What belongs to the erased businesses. */
export const ofBusinesses = ({ organizationId, businessIds }: EraseRequest) => ({
  business_id: { $in: [...businessIds] },
  organization_id: organizationId,
});

/** The same or, with the whole organization, everything that belongs to it. For collections that are small, or have an index for it. */
export const ofTenant = (erased: EraseRequest): { organization_id: string; business_id?: { $in: string[] } } =>
  erased.wholeOrganization ? { organization_id: erased.organizationId } : ofBusinesses(erased);
