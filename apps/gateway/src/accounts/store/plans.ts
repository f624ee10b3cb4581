import type { Plan } from '@fanfare/contracts/gateway';
import type { ClientSession, Db } from 'mongodb';

/** The limits of an organization. */
export interface PlanDocument {
  _id: string;
  api_access: boolean;
  /** For one API key. */
  requests_per_minute: number;
  requests_per_day: number;
  requests_per_week: number;
  /** For all API keys of the organization together; absent means five times the limit of one key. */
  organization_requests_per_minute?: number;
  organization_requests_per_day?: number;
  organization_requests_per_week?: number;
  /** For one signed-in user; absent means the limit of the default plan. */
  user_requests_per_minute?: number;
  user_requests_per_day?: number;
  user_requests_per_week?: number;
  generated_posts_per_month: number;
  /** One credit for each generated post; absent means the limit of the default plan. */
  credits_per_month?: number;
  /** For the whole organization; absent means the limit of the default plan. */
  storage_bytes?: number;
  /** Media and text documents. */
  storage_files?: number;
}

const plans = (db: Db) => db.collection<PlanDocument>('plans');

/** The plan of organizations without another one, with the limits that the API promises. Users have higher limits than keys, because the web app polls. */
export const DEFAULT_PLAN: Required<Omit<PlanDocument, `organization_${string}`>> = {
  _id: 'default',
  api_access: true,
  requests_per_minute: 100,
  requests_per_day: 2_000,
  requests_per_week: 10_000,
  user_requests_per_minute: 600,
  user_requests_per_day: 20_000,
  user_requests_per_week: 80_000,
  generated_posts_per_month: 200,
  credits_per_month: 200,
  storage_bytes: 10 * 1024 ** 3,
  storage_files: 10_000,
};

/** The limits of an address whose requests have no known credential. */
export const ANONYMOUS_PLAN: PlanDocument = {
  _id: 'anonymous',
  api_access: false,
  requests_per_minute: 300,
  requests_per_day: 5_000,
  requests_per_week: 20_000,
  generated_posts_per_month: 0,
};

/** Leaves a default plan that an operator has changed as it is. */
export const seedDefaultPlan = (db: Db): Promise<void> => seed(db, DEFAULT_PLAN);

export const seedAnonymousPlan = (db: Db): Promise<void> => seed(db, ANONYMOUS_PLAN);

async function seed(db: Db, { _id, ...rest }: PlanDocument): Promise<void> {
  await plans(db).updateOne({ _id }, { $setOnInsert: rest }, { upsert: true });
}

export async function putPlan(db: Db, plan: PlanDocument, session: ClientSession): Promise<void> {
  const { _id, ...rest } = plan;
  await plans(db).replaceOne({ _id }, rest, { upsert: true, session });
}

export async function findPlan(db: Db, id: string, session?: ClientSession): Promise<PlanDocument | null> {
  return plans(db).findOne({ _id: id }, session && { session });
}

export async function listPlans(db: Db): Promise<PlanDocument[]> {
  return plans(db).find().sort({ _id: 1 }).toArray();
}

export function fromPlan(plan: Plan): PlanDocument {
  return {
    _id: plan.id,
    api_access: plan.apiAccess,
    requests_per_minute: plan.requestsPerMinute,
    requests_per_day: plan.requestsPerDay,
    requests_per_week: plan.requestsPerWeek,
    ...(plan.organizationRequestsPerMinute !== undefined && { organization_requests_per_minute: plan.organizationRequestsPerMinute }),
    ...(plan.organizationRequestsPerDay !== undefined && { organization_requests_per_day: plan.organizationRequestsPerDay }),
    ...(plan.organizationRequestsPerWeek !== undefined && { organization_requests_per_week: plan.organizationRequestsPerWeek }),
    ...(plan.userRequestsPerMinute !== undefined && { user_requests_per_minute: plan.userRequestsPerMinute }),
    ...(plan.userRequestsPerDay !== undefined && { user_requests_per_day: plan.userRequestsPerDay }),
    ...(plan.userRequestsPerWeek !== undefined && { user_requests_per_week: plan.userRequestsPerWeek }),
    generated_posts_per_month: plan.generatedPostsPerMonth,
    ...(plan.creditsPerMonth !== undefined && { credits_per_month: plan.creditsPerMonth }),
    ...(plan.storageBytes !== undefined && { storage_bytes: plan.storageBytes }),
    ...(plan.storageFiles !== undefined && { storage_files: plan.storageFiles }),
  };
}

export function toPlan(document: PlanDocument): Plan {
  return {
    id: document._id,
    apiAccess: document.api_access,
    requestsPerMinute: document.requests_per_minute,
    requestsPerDay: document.requests_per_day,
    requestsPerWeek: document.requests_per_week,
    organizationRequestsPerMinute: document.organization_requests_per_minute,
    organizationRequestsPerDay: document.organization_requests_per_day,
    organizationRequestsPerWeek: document.organization_requests_per_week,
    userRequestsPerMinute: document.user_requests_per_minute,
    userRequestsPerDay: document.user_requests_per_day,
    userRequestsPerWeek: document.user_requests_per_week,
    generatedPostsPerMonth: document.generated_posts_per_month,
    creditsPerMonth: document.credits_per_month,
    storageBytes: document.storage_bytes,
    storageFiles: document.storage_files,
  };
}
