import type { GetStorageUsageResponse } from '@fanfare/contracts/library';
import { z } from 'zod';
import type { Window } from '../../http/limits/windows.ts';
import { selfLink } from '../shared/self-link.ts';
import { timestamp } from '../shared/timestamp.ts';

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
    held: z.int().meta({
      description: 'By resumable uploads that are open, as if all of them had come. It is given back when they are ended or expire.',
    }),
    remaining: z
      .int()
      .meta({ description: 'The limit less what is used and held. 0, too, where a smaller plan left more stored than it holds.' }),
  })
  .meta({ id: 'StorageQuota' });

export const usage = z
  .object({
    self: selfLink(),
    requests: z.array(usageWindow).meta({ description: 'Of the key or the user that asks, this request included.' }),
    organization_requests: z
      .array(usageWindow)
      .meta({ description: 'Of all API keys of the organization together. The requests of users do not count here.' }),
    storage: z.object({ bytes: storageQuota, files: storageQuota }).meta({
      description: 'Of the whole organization: media and text documents, and their bytes. Media of the same bytes count each.',
    }),
  })
  .meta({ id: 'Usage' });

interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly held: number;
}

/**
 * @param limits what the plan allows to be stored
 * @param stored what is there
 */
export function toUsage(
  windows: { readonly own: readonly Window[]; readonly ofOrganization: readonly Window[] },
  limits: { readonly bytes: number; readonly files: number },
  stored: GetStorageUsageResponse,
): z.input<typeof usage> {
  const quota = ({ limit, used, held }: Quota) => ({ limit, used, held, remaining: Math.max(0, limit - used - held) });
  return {
    requests: windows.own.map(toWindow),
    organization_requests: windows.ofOrganization.map(toWindow),
    storage: {
      bytes: quota({ limit: limits.bytes, used: stored.bytes, held: stored.heldBytes }),
      files: quota({ limit: limits.files, used: stored.files, held: stored.heldFiles }),
    },
  };
}

const toWindow = ({ name, limit, used, remaining, resetAt }: Window): z.input<typeof usageWindow> => ({
  window: name,
  limit,
  used,
  remaining,
  resets_at: resetAt.toISOString(),
});
