import type { z } from 'zod';
import type { usage } from './usage.ts';

/** For the OpenAPI description: a key of the default plan. */
export const exampleUsage: z.input<typeof usage> = {
  requests: [
    { window: 'minute', limit: 100, used: 3, remaining: 97, resets_at: '2026-08-06T09:31:00.000Z' },
    { window: 'day', limit: 2_000, used: 412, remaining: 1_588, resets_at: '2026-08-07T00:00:00.000Z' },
    { window: 'week', limit: 10_000, used: 2_904, remaining: 7_096, resets_at: '2026-08-10T00:00:00.000Z' },
  ],
  organization_requests: [
    { window: 'minute', limit: 500, used: 9, remaining: 491, resets_at: '2026-08-06T09:31:00.000Z' },
    { window: 'day', limit: 10_000, used: 1_020, remaining: 8_980, resets_at: '2026-08-07T00:00:00.000Z' },
    { window: 'week', limit: 50_000, used: 6_211, remaining: 43_789, resets_at: '2026-08-10T00:00:00.000Z' },
  ],
  storage: {
    bytes: { limit: 10_737_418_240, used: 48_213_904, held: 104_857_600, remaining: 10_584_346_736 },
    files: { limit: 10_000, used: 37, held: 1, remaining: 9_962 },
  },
  generated_posts: { limit: 200, used: 12, remaining: 188, resets_at: '2026-09-01T00:00:00.000Z' },
  credits: { limit: 200, used: 12, remaining: 188, resets_at: '2026-09-01T00:00:00.000Z' },
};
