import type { Db } from 'mongodb';
import type { Role } from '../access.ts';
import type { Mode } from '../keys/api-key.ts';
import { findApiKey } from './api-keys.ts';
import { findOrganization, type OrganizationDocument } from './organizations.ts';
import { findPlan, type PlanDocument } from './plans.ts';
import { findMembershipsOfSession } from './sessions.ts';

/** The caller of a request. */
export interface Caller {
  readonly kind: 'key' | 'user';
  /** The id of the key or the user. */
  readonly id: string;
  /** The session of a user. */
  readonly sessionId?: string;
  /** A key has exactly one membership. */
  readonly memberships: readonly Membership[];
}

/** An organization that the caller belongs to, and the permissions there. */
export interface Membership {
  readonly organizationId: string;
  readonly mode: Mode;
  readonly plan: PlanDocument;
  /** Whether operators have suspended the organization. */
  readonly suspended: boolean;
  /** When the organization is deleted; undefined if it is not being deleted. */
  readonly finalAt: Date | undefined;
  /** A key has the highest role, because it has full access. */
  readonly role: Role;
}

/** The caller with a key; undefined if no such key works. */
export async function findKeyCaller(db: Db, secretHash: string): Promise<Caller | undefined> {
  const key = await findApiKey(db, secretHash);
  const membership = key && (await findMembership(db, key.organization_id, 'owner'));
  return membership ? { kind: 'key', id: key._id, memberships: [membership] } : undefined;
}

/** A signed-in user; undefined if the session has ended. One round trip, because it is read often. */
export async function findUserCaller(db: Db, { userId, sessionId }: { userId: string; sessionId: string }): Promise<Caller | undefined> {
  const found = await findMembershipsOfSession(db, userId, sessionId);
  if (!found) return undefined;
  const memberships = found.flatMap(({ role, organization, plan }) => {
    if (!plan) throw planMissing(organization);
    return organization.erasing_at ? [] : [toMembership(organization, plan, role)];
  });
  return { kind: 'user', id: userId, sessionId, memberships };
}

/** @throws Error if the organization's plan does not exist */
export async function findMembership(db: Db, organizationId: string, role: Role): Promise<Membership | undefined> {
  const organization = await findOrganization(db, organizationId);
  if (!organization || organization.erasing_at) return undefined;
  const plan = await findPlan(db, organization.plan_id);
  if (!plan) throw planMissing(organization);
  return toMembership(organization, plan, role);
}

const toMembership = ({ _id, mode, suspended_at, deletion }: OrganizationDocument, plan: PlanDocument, role: Role): Membership => ({
  organizationId: _id,
  mode,
  plan,
  suspended: suspended_at !== undefined,
  finalAt: deletion?.final_at,
  role,
});

const planMissing = ({ _id, plan_id }: OrganizationDocument) =>
  new Error(`Organization ${_id} has the plan "${plan_id}", which does not exist.`);
