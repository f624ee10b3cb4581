import type { Organization } from '@fanfare/contracts/gateway';
import type { Db } from 'mongodb';
import type { Mode } from '../api-key.ts';

export interface OrganizationDocument {
  _id: string;
  name: string;
  plan_id: string;
  mode: Mode;
  created_at: Date;
}

const organizations = (db: Db) => db.collection<OrganizationDocument>('organizations');

export async function insertOrganization(db: Db, document: OrganizationDocument): Promise<void> {
  await organizations(db).insertOne(document);
}

export async function findOrganization(db: Db, id: string): Promise<OrganizationDocument | null> {
  return organizations(db).findOne({ _id: id });
}

export function toOrganization({ _id, name, plan_id, mode }: OrganizationDocument): Organization {
  return { id: _id, name, plan: plan_id, mode: mode === 'test' ? 'ORGANIZATION_MODE_TEST' : 'ORGANIZATION_MODE_LIVE' };
}
