import type { Organization } from '@fanfare/contracts/gateway';
import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';
import type { Mode } from '../keys/api-key.ts';

export interface OrganizationDocument {
  _id: string;
  name: string;
  plan_id: string;
  mode: Mode;
  created_at: Date;
  /** Counts changes of its members, to make them conflict. */
  membership_changes?: number;
  /** Incremented by every change that callers see; absent means 1. */
  revision?: number;
  /** Counts changes of its keys, to make them conflict. */
  key_changes?: number;
  /** When operators suspended it; its keys and members are rejected. */
  suspended_at?: Date;
  /** The reason, for operators. */
  suspension_reason?: string;
  /** While it is being deleted and can still be restored; see `deletions`. */
  deletion?: { requested_at: Date; final_at: Date };
  /** Since when it is being erased: for its keys and members it does not exist any more. */
  erasing_at?: Date;
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

/** For operators' lists of all organizations. */
export async function createOrganizationListIndex(db: Db): Promise<void> {
  await organizations(db).createIndex({ created_at: -1, _id: -1 });
}

/** Newest first. */
export async function listAllOrganizations(
  db: Db,
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string },
): Promise<Page<OrganizationDocument>> {
  const binding = ['organizations'];
  const rows = await organizations(db)
    .find(after(parsePageToken(pageToken, binding)))
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}

export async function listOrganizationIdsOnPlan(db: Db, planId: string, session: ClientSession): Promise<string[]> {
  const found = await organizations(db)
    .find({ plan_id: planId }, { projection: { _id: 1 }, session })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** @returns the previous document; null if there is none */
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

/** @returns the changed document */
export async function setOrganizationName(db: Db, id: string, name: string, session: ClientSession): Promise<OrganizationDocument | null> {
  return organizations(db).findOneAndUpdate({ _id: id }, [{ $set: { name: { $literal: name }, revision: NEXT } }], {
    returnDocument: 'after',
    session,
  });
}

/** Suspends it, or leaves it suspended. @returns the previous document; null if there is none */
export async function suspendOrganization(
  db: Db,
  id: string,
  reason: string,
  session: ClientSession,
): Promise<OrganizationDocument | null> {
  const change = { suspended_at: { $ifNull: ['$suspended_at', '$$NOW'] }, suspension_reason: { $literal: reason } };
  return organizations(db).findOneAndUpdate({ _id: id }, [{ $set: change }], { returnDocument: 'before', session });
}

/** @returns the previous document; null if there is none */
export async function restoreOrganization(db: Db, id: string, session: ClientSession): Promise<OrganizationDocument | null> {
  const change = { $unset: { suspended_at: '' as const, suspension_reason: '' as const } };
  return organizations(db).findOneAndUpdate({ _id: id }, change, { returnDocument: 'before', session });
}

/** Notes that it is being deleted, or not any more. */
export async function setOrganizationDeletion(
  db: Db,
  id: string,
  deletion: OrganizationDocument['deletion'],
  session: ClientSession,
): Promise<void> {
  const change = deletion
    ? [{ $set: { deletion: { $literal: deletion }, revision: NEXT } }]
    : [{ $set: { revision: NEXT } }, { $unset: 'deletion' }];
  await organizations(db).updateOne({ _id: id }, change, { session });
}

/** From now on its keys and members have no access. */
export async function markOrganizationErasing(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).updateOne({ _id: id }, [{ $set: { erasing_at: { $ifNull: ['$erasing_at', '$$NOW'] } } }], { session });
}

export async function deleteOrganization(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).deleteOne({ _id: id }, { session });
}

const NEXT = { $add: [{ $ifNull: ['$revision', 1] }, 1] };

/** Locks the keys of an organization: transactions that add keys run one at a time. */
export async function lockKeys(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).updateOne({ _id: id }, { $inc: { key_changes: 1 } }, { session });
}

/** Locks the memberships of an organization: transactions that change members or roles run one at a time. */
export async function lockMembership(db: Db, id: string, session: ClientSession): Promise<void> {
  await organizations(db).updateOne({ _id: id }, { $inc: { membership_changes: 1 } }, { session });
}

export function toOrganization(document: OrganizationDocument): Organization {
  return {
    id: document._id,
    name: document.name,
    plan: document.plan_id,
    mode: document.mode === 'test' ? 'ORGANIZATION_MODE_TEST' : 'ORGANIZATION_MODE_LIVE',
    createdAt: document.created_at,
    suspendedAt: document.suspended_at,
    suspensionReason: document.suspension_reason,
  };
}
