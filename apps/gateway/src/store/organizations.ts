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
  /** Counts the changes of its keys. */
  key_changes?: number;
}

const organizations = (db: Db) => db.collection<OrganizationDocument>('organizations');

export async function insertOrganization(db: Db, document: OrganizationDocument, session?: ClientSession): Promise<void> {
  await organizations(db).insertOne(document, session && { session });
}

export async function findOrganization(db: Db, id: string): Promise<OrganizationDocument | null> {
  return organizations(db).findOne({ _id: id });
}

export async function listOrganizations(db: Db, ids: readonly string[]): Promise<OrganizationDocument[]> {
  return organizations(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
}

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
