import type { MisfirePolicy } from '@fanfare/contracts/content';
import { z } from 'zod';

const POLICIES = ['publish_late', 'skip', 'hold'] as const;

const WHAT =
  'What happens to a scheduled post that cannot be published in time, for example because of an outage. `publish_late`: it is published late, unless it is later than `misfire_limit_minutes` of the business; then `hold` applies. `skip`: it is not published, and gets the status that it had before it was scheduled. `hold`: like skip, and an entry in `at_risk` stays until you edit, schedule or publish the post. A post that was not published has `last_failure` with `too_late`, and a `post.failed` event is sent. A post counts as late after a minute. A series continues in any case.';

/** In a request. */
export const misfirePolicy = (more: string) =>
  z
    .enum(POLICIES)
    .nullish()
    .meta({ description: `${WHAT} ${more}`, example: 'hold' });

export const misfirePolicyToProto = (policy: (typeof POLICIES)[number] | null | undefined): MisfirePolicy =>
  policy ? `MISFIRE_POLICY_${policy.toUpperCase() as Uppercase<typeof policy>}` : 'MISFIRE_POLICY_UNSPECIFIED';
