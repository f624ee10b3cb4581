import { z } from 'zod';
import { platformNames } from './platform-name.ts';
import { text } from './text.ts';

/** What holds for this publication only. */
export const publishPostBody = z
  .strictObject({
    restrict_publish_to: platformNames()
      .nullish()
      .meta({ description: "Only these platforms, this time; otherwise the post's own choice." }),
    restrict_publish_to_integration_ids: z.array(text(100)).min(1).max(100).nullish(),
    confirm_not_published: z.boolean().optional().meta({
      description: 'You looked, and vouch that targets with error_type unknown_outcome lack the post: send to them again.',
    }),
  })
  .meta({ id: 'PublishPost' });
