import { z } from 'zod';
import { selfLink } from './self-link.ts';
import { timestamp } from './timestamp.ts';

const serviceHealth = z
  .object({ status: z.string().meta({ description: 'ok or unavailable.', example: 'ok' }) })
  .meta({ id: 'ServiceHealth' });

export const apiHealth = z
  .object({
    self: selfLink(),
    status: z.string().meta({ description: 'ok, or degraded when a service is unavailable.', example: 'ok' }),
    services: z.record(z.string(), serviceHealth),
    oldest_due_post_at: timestamp()
      .nullable()
      .meta({ description: 'When the oldest post that is due and not yet being sent was due; null when none is, or when nobody knows.' }),
  })
  .meta({ id: 'Health' });
