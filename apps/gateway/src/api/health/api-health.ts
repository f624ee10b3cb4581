import { z } from 'zod';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';
import { PROBLEMS } from './problem-of.ts';

const serviceHealth = z
  .object({
    status: z.string().meta({ description: 'ok; degraded if it responds, but its work is late; or unavailable.', example: 'ok' }),
    problems: z.array(z.string()).meta({
      description: `What is late; empty if nothing is. ${Object.values(PROBLEMS)
        .map(({ code, means }) => `\`${code}\`: ${means}.`)
        .join(' ')}`,
      example: [],
    }),
  })
  .meta({ id: 'ServiceHealth' });

const platformHealth = z
  .object({
    status: z.string().meta({
      description: 'ok, or degraded while calls to the platform fail or time out, or posts to it are late.',
      example: 'ok',
    }),
    oldest_due_delivery_at: timestamp().nullable().meta({
      description: 'The due time of the delivery to the platform that has been waiting for longest; null if none waits or it is unknown.',
    }),
  })
  .meta({ id: 'PlatformHealth' });

export const apiHealth = z
  .object({
    self: selfLink(),
    status: z.string().meta({
      description: 'ok, or degraded if a service is unavailable, its work is late, or calls to a platform fail.',
      example: 'ok',
    }),
    services: z.record(z.string(), serviceHealth),
    platforms: z.record(z.string(), platformHealth).meta({ description: 'The state of each platform. Empty while it is unknown.' }),
    oldest_due_post_at: timestamp().nullable().meta({
      description: 'The due time of the oldest post that is due and not being published yet; null if there is none or it is unknown.',
    }),
  })
  .meta({ id: 'Health' });
