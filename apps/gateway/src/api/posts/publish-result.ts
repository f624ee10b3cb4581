import type { PublishResult, PublishWait } from '@fanfare/contracts/content';
import { z } from 'zod';
import { isoTime, timestamp } from '../shared/timestamp.ts';

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
    warnings: z.array(z.string()).meta({
      description:
        'What is not as it was asked for around a post that stands, such as a first comment that the platform refused, pictures that it did not take, or a picture or video that was sent with fewer pixels, bytes or frames a second than it has, as the platform takes no more; of a draft, that nobody sees it yet.',
      example: [],
    }),
    waiting: z
      .object({
        reason: z.string().meta({
          description:
            'rate_limited; retry; confirming: the answer of the platform was lost, and it is asked whether the post is there; or held: sending had begun when those who run the service paused it.',
          example: 'rate_limited',
        }),
        until: timestamp().nullable().meta({ description: 'When it goes on; null when that is not known.' }),
        message: z.string().meta({ description: "In words; the platform's own, where it is the platform that is waited for." }),
      })
      .nullable()
      .meta({
        description:
          'Why nothing happens at the moment; null unless the status is processing and it waits. A post that those who run the service hold before sending has begun stays pending, with null here.',
        example: null,
      }),
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
    warnings: result.warnings,
    waiting: result.waiting ? waitingFromProto(result.waiting) : null,
  };
}

const waitingFromProto = ({ reason, until, message }: PublishWait) => ({ reason, until: until ? isoTime(until) : null, message });
