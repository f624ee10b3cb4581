import { z } from 'zod';
import { targetFields } from './post-fields.ts';

/** Settings for this publication only. */
export const publishPostBody = z
  .strictObject({
    restrict_publish_to: targetFields.restrict_publish_to.meta({
      description: 'Publish only on these platforms this time; by default, the targets of the post.',
    }),
    restrict_publish_to_integration_ids: targetFields.restrict_publish_to_integration_ids.meta({
      description: 'Publish only to these accounts this time. Takes precedence over restrict_publish_to.',
    }),
    confirm_not_published: z.boolean().optional().meta({
      description: 'You confirm that the targets with error_type unknown_outcome do not have the post: publish to them again.',
    }),
  })
  .meta({ id: 'PublishPost' });
