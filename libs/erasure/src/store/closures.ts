import type { EraseRequest, SetClosureRequest } from '@fanfare/contracts/erasure';
import { DomainError } from '@fanfare/errors';
import { MongoServerError, type ClientSession, type Db } from 'mongodb';

/** Whether a business, or a whole organization, is closed because it is being deleted. Kept when it is opened again, because of its revision. */
interface ClosureDocument {
  /** The id of the business or the organization. */
  _id: string;
  organization_id: string;
  /** Absent for a whole organization. */
  business_id?: string;
  closed: boolean;
  /** Of what the caller wants: a call that was overtaken changes nothing. */
  revision: number;
  /** Counts transactions that rely on it. */
  uses?: number;
}

/** What belongs to a business. */
export interface Closable {
  readonly organization_id: string;
  readonly business_id: string;
}

const closures = (db: Db) => db.collection<ClosureDocument>('closures');

/** @returns whether it was written: not if a newer revision is stored @throws DomainError missing_field */
export async function putClosure(db: Db, { organizationId, businessId, closed, revision }: SetClosureRequest): Promise<boolean> {
  if (organizationId === '') throw new DomainError('missing_field', 'A closure requires an organization.', { param: 'organization_id' });
  const _id = businessId === '' ? organizationId : businessId;
  const written = { organization_id: organizationId, ...(businessId !== '' && { business_id: businessId }), closed, revision };
  try {
    await closures(db).updateOne({ _id, revision: { $lte: revision } }, { $set: written }, { upsert: true });
    return true;
  } catch (error) {
    // There is one with a newer revision.
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}

const DUPLICATE_KEY = 11_000;

/** What is closed: whole organizations, and businesses. */
export interface Closed {
  readonly organizations: ReadonlySet<string>;
  readonly businesses: ReadonlySet<string>;
}

/** All that are closed: few. */
export async function findClosed(db: Db): Promise<Closed> {
  return closedBy(await closures(db).find({ closed: true }).toArray());
}

/**
 * Which of these businesses and organizations are closed. Locks them: until the transaction ends, none of them is opened.
 */
export async function lockClosed(db: Db, all: readonly Closable[], session: ClientSession): Promise<Closed> {
  const ids = [...new Set(all.flatMap(({ organization_id, business_id }) => [organization_id, business_id]))];
  const which = { _id: { $in: ids }, closed: true };
  await closures(db).updateMany(which, { $inc: { uses: 1 } }, { session });
  return closedBy(await closures(db).find(which, { session }).toArray());
}

export const isClosed = ({ organizations, businesses }: Closed, { organization_id, business_id }: Closable): boolean =>
  organizations.has(organization_id) || businesses.has(business_id);

function closedBy(found: readonly ClosureDocument[]): Closed {
  return {
    organizations: new Set(found.flatMap(({ organization_id, business_id }) => (business_id === undefined ? [organization_id] : []))),
    businesses: new Set(found.flatMap(({ business_id }) => business_id ?? [])),
  };
}

/** What is erased is neither open nor closed. @returns how many there were */
export async function forgetClosures(db: Db, { organizationId, businessIds, wholeOrganization }: EraseRequest): Promise<number> {
  const ofAll = wholeOrganization ? [{ organization_id: organizationId }] : [];
  const { deletedCount } = await closures(db).deleteMany({ $or: [{ _id: { $in: [...businessIds] } }, ...ofAll] });
  return deletedCount;
}
