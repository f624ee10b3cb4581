import { z } from 'zod';
import { timestamp } from '../common/timestamp.ts';

export const publishResult = z
  .object({
    platform: z.string(),
    status: z.string().meta({
      description:
        'pending, processing, success or failed; the last two are terminal. It stays success if the post is unpublished later: `removal` shows that.',
      example: 'success',
    }),
    publish_id: z.string().nullable().meta({ description: "The platform's id of the post." }),
    post_url: z.string().nullable(),
    error_type: z.string().nullable().meta({
      description:
        'token_expired, permission_denied, validation_failed, rate_limited, duplicate_content, media_failed, platform_unavailable, unknown_outcome, or too_late: publishing could not start in time, and the post was not sent; primary_failed and other_target_failed: another account of the post failed, see `strategy`. New values may be added.',
    }),
    error_message: z.string().nullable(),
    integration_id: z.string(),
    updated_at: timestamp(),
    lag_ms: z.int().nullable().meta({ description: 'Milliseconds from the due time until it was published.' }),
    attempts: z.int().meta({ description: 'How often the call that publishes the post was started.' }),
    warnings: z.array(z.string()).meta({
      description:
        'Differences between the published post and your request, such as a first comment or images that the platform rejected, or an image or video that was reduced in resolution, size or frame rate to meet a limit. For a draft: that it is not public yet.',
      example: [],
    }),
    waiting: z
      .object({
        reason: z.string().meta({
          description:
            'rate_limited; retry; confirming: the response of the platform was lost, and Fanfare is checking whether the post was published; held: the operator paused publishing after the delivery had started; others: it waits for other accounts of the post because of its `strategy`, before it is published or until all of them have it (`message` says which); removing: the post is being removed, because another account failed (see `strategy`).',
          example: 'rate_limited',
        }),
        until: timestamp().nullable().meta({ description: 'When it continues; null if unknown.' }),
        message: z
          .string()
          .meta({ description: "The reason as text for people; the platform's own message if the platform caused the wait." }),
      })
      .nullable()
      .meta({
        description:
          'Why the delivery is waiting; null unless it waits. Its status is processing, or pending if it starts when the first account of `primary_first` has succeeded. If the operator pauses publishing before the delivery starts, the status stays pending and this is null.',
        example: null,
      }),
    removal: z
      .object({
        status: z.string().meta({
          description:
            'pending; removed: the platform says that the post is gone; failed: it was not removed, or may not have been, and you can call `unpublish_post` again; not_supported: the API of the platform cannot delete posts. All but pending are terminal.',
          example: 'removed',
        }),
        error_type: z.string().nullable().meta({ description: 'Like the `error_type` of a result; null unless failed.' }),
        detail: z.string().nullable().meta({ description: 'Why it waits, failed or is not possible, as text for people.' }),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Where a person can remove the post, if it failed or is not supported and the link is known.' }),
        updated_at: timestamp(),
      })
      .nullable()
      .meta({
        description:
          'The removal of the post from this target; null unless `unpublish_post` was called. The `status` of the result stays success, and that of the post PUBLISHED: only the `status` of the removal says whether the post is still on the platform.',
        example: null,
      }),
  })
  .meta({ id: 'PublishResult' });
