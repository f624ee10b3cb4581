import { z } from 'zod';
import { targetFields } from './post-fields.ts';

/** What holds for this publication only. */
export const publishPostBody = z
  .strictObject({
    restrict_publish_to: targetFields.restrict_publish_to.meta({
      description: "Only these platforms, this time; otherwise the post's own choice.",
    }),
    restrict_publish_to_integration_ids: targetFields.restrict_publish_to_integration_ids.meta({
      description: 'Only these accounts, this time; they win over restrict_publish_to.',
    }),
    confirm_not_published: z.boolean().optional().meta({
      description: 'You looked, and vouch that targets with error_type unknown_outcome lack the post: send to them again.',
    }),
  })
  .meta({ id: 'PublishPost' });
