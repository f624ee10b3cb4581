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

const storageQuota = z
  .object({
    limit: z.int(),
    used: z.int(),
    remaining: z.int().meta({ description: '0, too, where a smaller plan left more stored than it holds.' }),
  })
  .meta({ id: 'StorageQuota' });

export const usage = z
  .object({
    self: selfLink(),
    requests: z.array(usageWindow).meta({ description: 'Of the key or the user that asks, this request included.' }),
    storage: z.object({ bytes: storageQuota, files: storageQuota }).meta({
      description: 'Of the whole organization: media and text documents, and their bytes. Media of the same bytes count each.',
    }),
  })
  .meta({ id: 'Usage' });

interface Stored {
  readonly bytes: number;
  readonly files: number;
}

/** @param storage what the plan allows, and what is there */
export function toUsage(windows: readonly Window[], storage: { readonly limits: Stored; readonly used: Stored }): z.input<typeof usage> {
  const quota = (name: keyof Stored) => {
    const [limit, used] = [storage.limits[name], storage.used[name]];
    return { limit, used, remaining: Math.max(0, limit - used) };
  };
  return {
    requests: windows.map(({ name, limit, used, remaining, resetAt }) => ({
      window: name,
      limit,
      used,
      remaining,
      resets_at: resetAt.toISOString(),
    })),
    storage: { bytes: quota('bytes'), files: quota('files') },
  };
}
