import { DEFAULT_PLAN, type PlanDocument } from '../../accounts/index.ts';
import type { Limits } from '../store/rate-windows.ts';

/** Of one API key; of one address, in the plan of unknown callers. */
export function keyLimits(plan: PlanDocument): Limits {
  return { perMinute: plan.requests_per_minute, perDay: plan.requests_per_day, perWeek: plan.requests_per_week };
}

/** Of all keys of an organization together, so that making more of them brings no more. Plans that do not say: five times a key's. */
export function organizationLimits(plan: PlanDocument): Limits {
  const { perMinute, perDay, perWeek } = keyLimits(plan);
  return {
    perMinute: plan.organization_requests_per_minute ?? KEYS_WORTH * perMinute,
    perDay: plan.organization_requests_per_day ?? KEYS_WORTH * perDay,
    perWeek: plan.organization_requests_per_week ?? KEYS_WORTH * perWeek,
  };
}

const KEYS_WORTH = 5;

/** Of one signed-in user. Plans from before users had limits of their own get the default plan's. */
export function userLimits(plan: PlanDocument): Limits {
  return {
    perMinute: plan.user_requests_per_minute ?? DEFAULT_PLAN.user_requests_per_minute,
    perDay: plan.user_requests_per_day ?? DEFAULT_PLAN.user_requests_per_day,
    perWeek: plan.user_requests_per_week ?? DEFAULT_PLAN.user_requests_per_week,
  };
}

/** Of the whole organization. Plans from before there were such limits get the default plan's. */
export function storageLimits(plan: PlanDocument): { bytes: number; files: number } {
  return { bytes: plan.storage_bytes ?? DEFAULT_PLAN.storage_bytes, files: plan.storage_files ?? DEFAULT_PLAN.storage_files };
}
