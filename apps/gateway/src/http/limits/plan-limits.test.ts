import { DEFAULT_PLAN, type PlanDocument } from '../../accounts/index.ts';
import { keyLimits, organizationLimits, storageLimits, userLimits } from './plan-limits.ts';

const old: PlanDocument = {
  _id: 'old',
  api_access: true,
  requests_per_minute: 1,
  requests_per_day: 2,
  requests_per_week: 3,
  generated_posts_per_month: 4,
};

test('users of a plan from before they had limits have those of the default plan', () => {
  expect(userLimits(old)).toEqual({ perMinute: 600, perDay: 20_000, perWeek: 80_000 });
  expect(userLimits({ ...old, user_requests_per_day: 0 })).toEqual({ perMinute: 600, perDay: 0, perWeek: 80_000 });
});

test('keys have those of their plan', () => {
  expect(keyLimits(old)).toEqual({ perMinute: 1, perDay: 2, perWeek: 3 });
  expect(keyLimits(DEFAULT_PLAN)).toEqual({ perMinute: 100, perDay: 2_000, perWeek: 10_000 });
});

test('an organization on a plan from before there were storage limits has those of the default plan', () => {
  expect(storageLimits(old)).toEqual({ bytes: 10 * 1024 ** 3, files: 10_000 });
  expect(storageLimits({ ...old, storage_bytes: 0 })).toEqual({ bytes: 0, files: 10_000 });
});

test('all keys of an organization share five times the limits of one, where the plan says nothing else', () => {
  expect(organizationLimits(old)).toEqual({ perMinute: 5, perDay: 10, perWeek: 15 });
  expect(organizationLimits(DEFAULT_PLAN)).toEqual({ perMinute: 500, perDay: 10_000, perWeek: 50_000 });
  expect(organizationLimits({ ...old, organization_requests_per_day: 0 })).toEqual({ perMinute: 5, perDay: 0, perWeek: 15 });
});
