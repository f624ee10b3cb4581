import { z } from 'zod';
import type { PlanDocument } from '../../accounts/index.ts';
import { generationLimits, keyLimits, organizationLimits, storageLimits, userLimits } from '../../http/limits/plan-limits.ts';
import type { Limits } from '../../http/store/rate-windows.ts';
import { selfLink } from '../common/self-link.ts';

const requests = (whose: string) =>
  z
    .object({ per_minute: z.int(), per_day: z.int(), per_week: z.int() })
    .meta({ description: `Requests of ${whose} in a UTC minute, a UTC day and an ISO week.` });

export const plan = z
  .object({
    self: selfLink(),
    id: z.string().meta({ example: 'default' }),
    api_access: z.boolean().meta({ description: 'Whether the plan includes API access.' }),
    requests_per_key: requests('each API key'),
    requests_per_organization: requests('all API keys of the organization together'),
    requests_per_user: requests('each signed-in user'),
    generated_posts_per_month: z.int().meta({ description: 'How many posts an organization can generate in a UTC month.' }),
    credits_per_month: z
      .int()
      .meta({ description: 'How many credits an organization can use in a UTC month. Each generated post costs one.' }),
    storage: z
      .object({ bytes: z.int(), files: z.int() })
      .meta({ description: 'The maximum number and size of the media files and text documents of an organization.' }),
  })
  .meta({ id: 'Plan' });

export function planFromStore(document: PlanDocument): z.input<typeof plan> {
  return {
    id: document._id,
    api_access: document.api_access,
    requests_per_key: toRequests(keyLimits(document)),
    requests_per_organization: toRequests(organizationLimits(document)),
    requests_per_user: toRequests(userLimits(document)),
    generated_posts_per_month: document.generated_posts_per_month,
    credits_per_month: generationLimits(document).creditsPerMonth,
    storage: storageLimits(document),
  };
}

const toRequests = ({ perMinute, perDay, perWeek }: Limits) => ({ per_minute: perMinute, per_day: perDay, per_week: perWeek });
