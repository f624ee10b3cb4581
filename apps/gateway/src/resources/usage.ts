import { z } from 'zod';
import type { Window } from '../limits/windows.ts';
import { selfLink } from './self-link.ts';
import { timestamp } from './timestamp.ts';

const usageWindow = z
  .object({
    window: z.string().meta({ description: 'minute, day or week.', example: 'minute' }),
    limit: z.int().meta({ description: 'Requests allowed in it.' }),
    used: z.int(),
    remaining: z.int(),
    resets_at: timestamp(),
  })
  .meta({ id: 'UsageWindow' });

export const usage = z
  .object({
    self: selfLink(),
    requests: z.array(usageWindow).meta({ description: 'Of the key or the user that asks, this request included.' }),
  })
  .meta({ id: 'Usage' });

export function usageFromWindows(windows: readonly Window[]): z.input<typeof usage> {
  return {
    requests: windows.map(({ name, limit, used, remaining, resetAt }) => ({
      window: name,
      limit,
      used,
      remaining,
      resets_at: resetAt.toISOString(),
    })),
  };
}
