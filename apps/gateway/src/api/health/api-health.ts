import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

const serviceHealth = z
  .object({ status: z.string().meta({ description: 'ok or unavailable.', example: 'ok' }) })
  .meta({ id: 'ServiceHealth' });

const platformHealth = z
  .object({ status: z.string().meta({ description: 'ok, or degraded while calls to the platform fail or time out.', example: 'ok' }) })
  .meta({ id: 'PlatformHealth' });

export const apiHealth = z
  .object({
    self: selfLink(),
    status: z.string().meta({ description: 'ok, or degraded if a service is unavailable or calls to a platform fail.', example: 'ok' }),
    services: z.record(z.string(), serviceHealth),
    platforms: z.record(z.string(), platformHealth).meta({ description: 'The state of each platform. Empty while it is unknown.' }),
    oldest_due_post_at: timestamp().nullable().meta({
      description: 'The due time of the oldest post that is due and not being published yet; null if there is none or it is unknown.',
    }),
  })
  .meta({ id: 'Health' });
