import { z } from 'zod';
import { selfLink } from '../shared/self-link.ts';
import { timestamp } from '../shared/timestamp.ts';

const serviceHealth = z
  .object({ status: z.string().meta({ description: 'ok or unavailable.', example: 'ok' }) })
  .meta({ id: 'ServiceHealth' });

const platformHealth = z
  .object({ status: z.string().meta({ description: 'ok, or degraded while calls to it fail or stay without an answer.', example: 'ok' }) })
  .meta({ id: 'PlatformHealth' });

export const apiHealth = z
  .object({
    self: selfLink(),
    status: z.string().meta({ description: 'ok, or degraded when a service is unavailable or a platform is in trouble.', example: 'ok' }),
    services: z.record(z.string(), serviceHealth),
    platforms: z.record(z.string(), platformHealth).meta({ description: 'How well each platform answers. Empty while nobody knows.' }),
    oldest_due_post_at: timestamp()
      .nullable()
      .meta({ description: 'When the oldest post that is due and not yet being sent was due; null when none is, or when nobody knows.' }),
  })
  .meta({ id: 'Health' });
