import type { Plan } from '@fanfare/contracts/gateway';
import type { Db } from 'mongodb';

/** What an organization may use. */
export interface PlanDocument {
  _id: string;
  api_access: boolean;
  requests_per_minute: number;
  requests_per_day: number;
  requests_per_week: number;
  generated_posts_per_month: number;
}

const plans = (db: Db) => db.collection<PlanDocument>('plans');

/** The plan of everybody who has no other: the limits that the API promises. */
export const DEFAULT_PLAN: PlanDocument = {
  _id: 'default',
  api_access: true,
  requests_per_minute: 100,
  requests_per_day: 2_000,
  requests_per_week: 10_000,
  generated_posts_per_month: 200,
};

/** Leaves a default plan that an operator has changed as it is. */
export async function seedDefaultPlan(db: Db): Promise<void> {
  const { _id, ...rest } = DEFAULT_PLAN;
  await plans(db).updateOne({ _id }, { $setOnInsert: rest }, { upsert: true });
}

export async function putPlan(db: Db, plan: PlanDocument): Promise<void> {
  const { _id, ...rest } = plan;
  await plans(db).replaceOne({ _id }, rest, { upsert: true });
}

export async function findPlan(db: Db, id: string): Promise<PlanDocument | null> {
  return plans(db).findOne({ _id: id });
}

export function fromPlan(plan: Plan): PlanDocument {
  return {
    _id: plan.id,
    api_access: plan.apiAccess,
    requests_per_minute: plan.requestsPerMinute,
    requests_per_day: plan.requestsPerDay,
    requests_per_week: plan.requestsPerWeek,
    generated_posts_per_month: plan.generatedPostsPerMonth,
  };
}
