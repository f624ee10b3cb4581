import type { Db } from 'mongodb';
import { findApiKey } from './api-keys.ts';
import { findOrganization } from './organizations.ts';
import { findPlan, type PlanDocument } from './plans.ts';

/** Who calls, for whom, and what they may. */
export interface Caller {
  readonly keyId: string;
  readonly organizationId: string;
  readonly plan: PlanDocument;
}

/** The holder of a key; undefined when no such key works. */
export async function findCaller(db: Db, secretHash: string): Promise<Caller | undefined> {
  const key = await findApiKey(db, secretHash);
  const organization = key && (await findOrganization(db, key.organization_id));
  if (!organization) return undefined;
  const plan = await findPlan(db, organization.plan_id);
  if (!plan) throw new Error(`Organization ${organization._id} has the plan "${organization.plan_id}", which does not exist.`);
  return { keyId: key._id, organizationId: organization._id, plan };
}
