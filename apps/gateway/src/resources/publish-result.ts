import type { PublishResult } from '@fanfare/contracts/content';
import { z } from 'zod';
import { isoTime, timestamp } from './timestamp.ts';

export const publishResult = z
  .object({
    platform: z.string(),
    status: z.string().meta({ description: 'pending, processing, success or failed; the last two are terminal.', example: 'success' }),
    publish_id: z.string().nullable().meta({ description: "The platform's id of the post." }),
    post_url: z.string().nullable(),
    error_type: z.string().nullable().meta({
      description:
        'token_expired, permission_denied, validation_failed, rate_limited, duplicate_content, media_failed, platform_unavailable or unknown_outcome.',
    }),
    error_message: z.string().nullable(),
    integration_id: z.string(),
    updated_at: timestamp(),
    lag_ms: z.int().nullable().meta({ description: 'From due to published.' }),
    attempts: z.int().meta({ description: 'How often sending was begun.' }),
  })
  .meta({ id: 'PublishResult' });

export function publishResultFromProto(result: PublishResult): z.input<typeof publishResult> {
  return {
    platform: result.platform,
    status: result.status.replace('PUBLISH_RESULT_STATUS_', '').toLowerCase(),
    publish_id: result.publishId ?? null,
    post_url: result.postUrl ?? null,
    error_type: result.errorType ?? null,
    error_message: result.errorMessage ?? null,
    integration_id: result.integrationId,
    updated_at: isoTime(result.updatedAt),
    lag_ms: result.lagMs ?? null,
    attempts: result.attempts,
  };
}
