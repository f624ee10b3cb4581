import type { z } from 'zod';
import type { plan } from './plan.ts';

/** For the OpenAPI description: the default plan. */
export const examplePlan: z.input<typeof plan> = {
  id: 'default',
  api_access: true,
  requests_per_key: { per_minute: 100, per_day: 2_000, per_week: 10_000 },
  requests_per_organization: { per_minute: 500, per_day: 10_000, per_week: 50_000 },
  requests_per_user: { per_minute: 600, per_day: 20_000, per_week: 80_000 },
  generated_posts_per_month: 200,
  credits_per_month: 200,
  storage: { bytes: 10 * 1024 ** 3, files: 10_000 },
};
