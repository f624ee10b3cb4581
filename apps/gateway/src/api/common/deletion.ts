import { z } from 'zod';
import type { DeletionDocument } from '../../accounts/index.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { actor, toActor } from './actor.ts';
import { timestamp } from './timestamp.ts';

/** The deletion of a business or an organization that can still be restored. */
export const deletion = z
  .object({
    requested_at: timestamp(),
    final_at: timestamp().meta({
      description:
        'Until this time the deletion can be undone with a restore, after which everything is as it was. After this time all data is erased everywhere, permanently.',
    }),
    requested_by: actor,
    published_posts: z.literal('stay_on_platforms').meta({
      description: 'Posts that are published stay on the platforms. To remove them, unpublish them before `final_at`.',
    }),
  })
  .meta({ id: 'Deletion' });

/** Null if it is not being deleted. */
export function deletionFromStore(document: DeletionDocument | undefined): z.input<typeof deletion> | null {
  if (document?.state !== 'pending') return null;
  return {
    requested_at: document.requested_at.toISOString(),
    final_at: document.final_at.toISOString(),
    requested_by: toActor(document.requested_by ?? 'system:operator', document.requested_by_name),
    published_posts: 'stay_on_platforms',
  };
}

export const exampleDeletion: z.input<typeof deletion> = {
  requested_at: '2026-08-06T09:30:00.000Z',
  final_at: '2026-08-13T09:30:00.000Z',
  requested_by: { type: 'user', id: EXAMPLE_IDS.user_id, name: 'Ana Baker' },
  published_posts: 'stay_on_platforms',
};
