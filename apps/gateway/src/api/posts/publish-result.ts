import { z } from 'zod';
import { timestamp } from '../common/timestamp.ts';

export const publishResult = z
  .object({
    platform: z.string(),
    status: z.string().meta({
      description:
        'pending, processing, success or failed; the last two are terminal. If the post is unpublished later, the status stays success, and `removal` shows the removal.',
      example: 'success',
    }),
    publish_id: z.string().nullable().meta({ description: "The platform's id of the post." }),
    post_url: z.string().nullable(),
    error_type: z.string().nullable().meta({
      description:
        'token_expired, permission_denied, validation_failed, rate_limited, duplicate_content, media_failed or platform_unavailable. unknown_outcome: it is unknown whether the platform has the post. too_late: publishing could not start in time, and the post was not sent. primary_failed and other_target_failed: another account of the post failed; see `strategy`. New values may be added.',
    }),
    error_message: z.string().nullable(),
    integration_id: z.string(),
    updated_at: timestamp(),
    lag_ms: z.int().nullable().meta({ description: 'Milliseconds from the due time until the post was published.' }),
    attempts: z.int().meta({ description: 'How often Fanfare started the call that makes the post public.' }),
    warnings: z.array(z.string()).meta({
      description:
        'Differences between the published post and your request, such as a first comment or images that the platform rejected. Another example is an image or video whose resolution, size or frame rate was reduced to meet a limit. The result of a draft has a warning that the post is not public yet.',
      example: [],
    }),
    waiting: z
      .object({
        reason: z.string().meta({
          description:
            '`rate_limited`: the platform limits the rate of calls. `retry`: a call failed and is retried. `confirming`: the response of the platform was lost, and Fanfare is checking whether the post was published. `held`: the operator paused publishing after the delivery had started. `others`: the delivery waits for other accounts of the post because of its `strategy`, before the post is published or until all of them have it; `message` says which. `removing`: the post is being removed, because another account failed (see `strategy`).',
          example: 'rate_limited',
        }),
        until: timestamp().nullable().meta({ description: 'When the delivery continues; null if that is unknown.' }),
        message: z
          .string()
          .meta({ description: "The reason as text for people; the platform's own message if the platform caused the wait." }),
      })
      .nullable()
      .meta({
        description:
          'Why the delivery is waiting; null if it is not. While it waits, `status` is processing; if it waits for the first account of `primary_first`, `status` is pending. If the operator pauses publishing before the delivery starts, `status` stays pending and `waiting` is null.',
        example: null,
      }),
    removal: z
      .object({
        status: z.string().meta({
          description:
            '`pending`: the removal has not ended. `removed`: the platform says that the post no longer exists. `failed`: the post was not removed, or may not have been; you can call `unpublish_post` again. `not_supported`: the API of the platform cannot delete posts. All but `pending` are terminal.',
          example: 'removed',
        }),
        error_type: z
          .string()
          .nullable()
          .meta({ description: 'Why the removal failed, with the same values as `error_type` of a result; null unless it failed.' }),
        detail: z
          .string()
          .nullable()
          .meta({ description: 'Why the removal is waiting, has failed or is not possible, as text for people.' }),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Where a person can delete the post, if the removal failed or is not supported, and the URL is known.' }),
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
