import { DEFAULT_PLAN, type PlanDocument } from '../../accounts/index.ts';
import type { Limits } from '../store/rate-windows.ts';

/** The limits of one API key or, in the plan for anonymous requests, of one address. */
export function keyLimits(plan: PlanDocument): Limits {
  return { perMinute: plan.requests_per_minute, perDay: plan.requests_per_day, perWeek: plan.requests_per_week };
}

/** The limits of all keys of an organization together, so that more keys do not allow more requests. Default: five times those of a key. */
export function organizationLimits(plan: PlanDocument): Limits {
  const { perMinute, perDay, perWeek } = keyLimits(plan);
  return {
    perMinute: plan.organization_requests_per_minute ?? KEYS_WORTH * perMinute,
    perDay: plan.organization_requests_per_day ?? KEYS_WORTH * perDay,
    perWeek: plan.organization_requests_per_week ?? KEYS_WORTH * perWeek,
  };
}

const KEYS_WORTH = 5;

/** The limits of one signed-in user. Older plans without them have those of the default plan. */
export function userLimits(plan: PlanDocument): Limits {
  return {
    perMinute: plan.user_requests_per_minute ?? DEFAULT_PLAN.user_requests_per_minute,
    perDay: plan.user_requests_per_day ?? DEFAULT_PLAN.user_requests_per_day,
    perWeek: plan.user_requests_per_week ?? DEFAULT_PLAN.user_requests_per_week,
  };
}

/** What the organization may generate in a UTC month. Older plans without credits have those of the default plan. */
export function generationLimits(plan: PlanDocument): { postsPerMonth: number; creditsPerMonth: number } {
  return {
    postsPerMonth: plan.generated_posts_per_month,
    creditsPerMonth: plan.credits_per_month ?? Math.max(DEFAULT_PLAN.credits_per_month, plan.generated_posts_per_month),
  };
}

/** The storage limits of the whole organization. Older plans without them have those of the default plan. */
export function storageLimits(plan: PlanDocument): { bytes: number; files: number } {
  return { bytes: plan.storage_bytes ?? DEFAULT_PLAN.storage_bytes, files: plan.storage_files ?? DEFAULT_PLAN.storage_files };
}
