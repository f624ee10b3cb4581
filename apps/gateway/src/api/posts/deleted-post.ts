import type { Post } from '@fanfare/contracts/content';
import { z } from 'zod';
import { deleted } from '../common/deleted.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';

const standing = z.object({
  platform: z.string(),
  integration_id: z.string().meta({ description: 'The connected account.' }),
  post_url: z.string().nullable().meta({ description: 'Where a person can remove it; null if the platform did not report it.' }),
});

const example = {
  platform: 'facebook',
  integration_id: EXAMPLE_IDS.integration_id,
  post_url: 'https://www.facebook.com/17895695668004550',
};

/** The response of the deletion of a post. */
export const deletedPost = z
  .object({
    ...deleted.shape,
    still_published: z.array(standing).meta({
      description: 'The accounts where the post stays published. Empty if it was not published, or is removed from all of them.',
    }),
  })
  .meta({ id: 'DeletedPost', example: { status: 'deleted', still_published: [example] } });

export const deletedPostResult = (post: Post | undefined) => ({
  body: {
    status: 'deleted' as const,
    still_published: (post?.publishResults ?? []).flatMap(({ status, removal, platform, integrationId, postUrl = null }) => {
      const isRemoved = removal?.status === 'REMOVAL_STATUS_REMOVED' || removal?.status === 'REMOVAL_STATUS_PENDING';
      return status === 'PUBLISH_RESULT_STATUS_SUCCESS' && !isRemoved
        ? [{ platform, integration_id: integrationId, post_url: postUrl }]
        : [];
    }),
  },
});
