import { z } from 'zod';
import { targetFields } from './post-fields.ts';

/** The targets to remove the post from. */
export const unpublishPostBody = z
  .strictObject({
    restrict_publish_to: targetFields.restrict_publish_to.meta({
      description: 'Remove it only from these platforms; by default, from every target that has it.',
    }),
    restrict_publish_to_integration_ids: targetFields.restrict_publish_to_integration_ids.meta({
      description: 'Remove it only from these accounts. Takes precedence over restrict_publish_to.',
    }),
  })
  .meta({ id: 'UnpublishPost' });
