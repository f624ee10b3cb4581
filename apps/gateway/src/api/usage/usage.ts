import type { GetUsageResponse } from '@fanfare/contracts/generation';
import type { GetStorageUsageResponse } from '@fanfare/contracts/library';
import { isoTime } from '@fanfare/resources';
import { z } from 'zod';
import type { Window } from '../../http/limits/windows.ts';
import type { generationLimits } from '../../http/limits/plan-limits.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const usageWindow = z
  .object({
    window: z.string().meta({ description: 'minute, day or week.', example: 'minute' }),
    limit: z.int().meta({ description: 'Requests allowed in the window.' }),
    used: z.int(),
    remaining: z.int(),
    resets_at: timestamp(),
  })
  .meta({ id: 'UsageWindow' });

const storageQuota = z
  .object({
    limit: z.int(),
    used: z.int(),
    held: z.int().meta({
      description:
        'The full size of unfinished resumable uploads, which is reserved for them until they are finished, cancelled or expire.',
    }),
    remaining: z.int().meta({ description: 'The limit minus what is used and reserved. 0 if more is stored than the plan allows.' }),
  })
  .meta({ id: 'StorageQuota' });

const monthlyQuota = z.object({ limit: z.int(), used: z.int(), remaining: z.int(), resets_at: timestamp() }).meta({ id: 'MonthlyQuota' });

export const usage = z
  .object({
    self: selfLink(),
    requests: z
      .array(usageWindow)
      .meta({ description: 'Requests of the API key or user that sends this request, including this request.' }),
    organization_requests: z
      .array(usageWindow)
      .meta({ description: 'Requests of all API keys of the organization together. Requests of users do not count.' }),
    storage: z.object({ bytes: storageQuota, files: storageQuota }).meta({
      description:
        'The number and size of the media files and text documents of the organization. Media files with identical bytes count separately.',
    }),
    generated_posts: monthlyQuota.meta({
      description: 'Posts that the organization has generated in this UTC month, including the posts requested by pending jobs.',
    }),
    credits: monthlyQuota.meta({ description: 'Credits that the organization has used in this UTC month: one for each generated post.' }),
  })
  .meta({ id: 'Usage' });

interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly held: number;
}

/**
 * @param limits the storage that the plan allows
 * @param stored the storage in use
 * @param generation the usage of generation in this month, and the limits of the plan
 */
export function toUsage(
  windows: { readonly own: readonly Window[]; readonly ofOrganization: readonly Window[] },
  limits: { readonly bytes: number; readonly files: number },
  stored: GetStorageUsageResponse,
  generation: { readonly limits: ReturnType<typeof generationLimits>; readonly used: GetUsageResponse },
): z.input<typeof usage> {
  const quota = ({ limit, used, held }: Quota) => ({ limit, used, held, remaining: Math.max(0, limit - used - held) });
  const { limits: monthly, used } = generation;
  const ofMonth = (limit: number, count: number) => ({
    ...{ limit, used: count, remaining: Math.max(0, limit - count) },
    resets_at: isoTime(used.resetAt),
  });
  return {
    requests: windows.own.map(toWindow),
    organization_requests: windows.ofOrganization.map(toWindow),
    storage: {
      bytes: quota({ limit: limits.bytes, used: stored.bytes, held: stored.heldBytes }),
      files: quota({ limit: limits.files, used: stored.files, held: stored.heldFiles }),
    },
    generated_posts: ofMonth(monthly.postsPerMonth, used.posts),
    credits: ofMonth(monthly.creditsPerMonth, used.credits),
  };
}

const toWindow = ({ name, limit, used, remaining, resetAt }: Window): z.input<typeof usageWindow> => ({
  window: name,
  limit,
  used,
  remaining,
  resets_at: resetAt.toISOString(),
});
