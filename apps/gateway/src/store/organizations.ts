import type { Organization } from '@fanfare/contracts/gateway';
import type { ClientSession, Db } from 'mongodb';
import type { Mode } from '../api-key.ts';

export interface OrganizationDocument {
  _id: string;
  name: string;
  plan_id: string;
  mode: Mode;
  created_at: Date;
  /** Counts the changes that may concern who owns it. */
  membership_changes?: number;
  /** Grows with every change that callers see; absent means 1. */
  revision?: number;
  /** Counts the changes of its keys. */
  key_changes?: number;
}

const organizations = (db: Db) => db.collection<OrganizationDocument>('organizations');

export async function insertOrganization(db: Db, document: OrganizationDocument, session?: ClientSession): Promise<void> {
  await organizations(db).insertOne(document, session && { session });
}

export async function findOrganization(db: Db, id: string, session?: ClientSession): Promise<OrganizationDocument | null> {
  return organizations(db).findOne({ _id: id }, session && { session });
}

export async function listOrganizations(db: Db, ids: readonly string[]): Promise<OrganizationDocument[]> {
  return organizations(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

export async function listOrganizationIdsOnPlan(db: Db, planId: string, session: ClientSession): Promise<string[]> {
  const found = await organizations(db)
    .find({ plan_id: planId }, { projection: { _id: 1 }, session })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** @returns the organization as it was before; null when there is none */
export async function setOrganizationPlan(
  db: Db,
  id: string,
  planId: string,
  session: ClientSession,
): Promise<OrganizationDocument | null> {
  return organizations(db).findOneAndUpdate({ _id: id }, [{ $set: { plan_id: { $literal: planId }, revision: NEXT } }], {
    returnDocument: 'before',
    session,
  });
}

/** @returns the organization as it is then */
export async function renameOrganization(db: Db, id: string, name: string, session: ClientSession): Promise<OrganizationDocument | null> {
  return organizations(db).findOneAndUpdate({ _id: id }, [{ $set: { name: { $literal: name }, revision: NEXT } }], {
    returnDocument: 'after',
    session,
  });
}

const NEXT = { $add: [{ $ifNull: ['$revision', 1] }, 1] };

/** Makes transactions that add keys to an organization go one after the other. */
export async function lockKeys(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).updateOne({ _id: id }, { $inc: { key_changes: 1 } }, { session });
}

/** Makes transactions that change who belongs to an organization, and as what, go one after the other. */
export async function lockMembership(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).updateOne({ _id: id }, { $inc: { membership_changes: 1 } }, { session });
}

export function toOrganization({ _id, name, plan_id, mode }: OrganizationDocument): Organization {
  return { id: _id, name, plan: plan_id, mode: mode === 'test' ? 'ORGANIZATION_MODE_TEST' : 'ORGANIZATION_MODE_LIVE' };
}
