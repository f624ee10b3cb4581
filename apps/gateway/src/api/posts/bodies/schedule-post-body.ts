import type { SchedulePostRequest } from '@fanfare/contracts/content';
import { z } from 'zod';
import { misfirePolicyToProto } from '../../common/misfire-policy.ts';
import { timestampInput } from '../../common/timestamp.ts';
import { misfirePolicyOfPost, repeatingCron, repeatingTimezone, targetFields } from './post-fields.ts';

export const schedulePostBody = z
  .strictObject({
    scheduled_publish_time: timestampInput().meta({ description: 'A time in the future. ISO 8601; UTC if it has no offset.' }),
    ...targetFields,
    repeating_cron: repeatingCron(),
    repeating_timezone: repeatingTimezone(),
    misfire_policy: misfirePolicyOfPost(),
  })
  .meta({ id: 'SchedulePost' });

export function toSchedulePostRequest(
  { scheduled_publish_time, ...rest }: z.output<typeof schedulePostBody>,
  change: { operationId: string; postId: string; expectedRevisions: number[] },
): SchedulePostRequest {
  return {
    ...change,
    scheduledPublishTime: scheduled_publish_time,
    updateMask: Object.keys(rest),
    restrictPublishTo: rest.restrict_publish_to ?? [],
    restrictPublishToIntegrationIds: rest.restrict_publish_to_integration_ids ?? [],
    repeatingCron: rest.repeating_cron ?? undefined,
    repeatingTimezone: rest.repeating_timezone ?? undefined,
    misfirePolicy: misfirePolicyToProto(rest.misfire_policy),
  };
}
