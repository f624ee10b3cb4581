import type { Post, PublishResult } from '@fanfare/contracts/content';
import { z } from 'zod';
import { deleted } from '../common/deleted.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';

const standing = z.object({
  platform: z.string(),
  integration_id: z.string().meta({ description: 'The connected account.' }),
  state: z.enum(['published', 'removing', 'unknown']).meta({
    description:
      '`published`: the post stays on the platform. `removing`: the removal requested with `unpublish_post` is pending, and may fail; wait for the event `post.unpublished`, or read the timeline of the post. `unknown`: it is unknown whether the platform has the post (`unknown_outcome`); a person has to check.',
  }),
  post_url: z
    .string()
    .nullable()
    .meta({ description: 'The URL of the post, where a person can delete it; null if the platform did not report the URL.' }),
});

const example = {
  platform: 'facebook',
  integration_id: EXAMPLE_IDS.integration_id,
  state: 'published',
  post_url: 'https://www.facebook.com/17895695668004550',
};

/** The response of the deletion of a post. */
export const deletedPost = z
  .object({
    ...deleted.shape,
    still_published: z.array(standing).meta({
      description:
        'The accounts that still have the post, or may have it. Empty if the post was not published, or was removed from all of them.',
    }),
  })
  .meta({ id: 'DeletedPost', example: { status: 'deleted', still_published: [example] } });

export const deletedPostResult = (post: Post | undefined) => ({
  body: {
    status: 'deleted' as const,
    still_published: (post?.publishResults ?? []).flatMap((result) => {
      const { platform, integrationId, postUrl = null } = result;
      const state = stateOf(result);
      return state ? [{ platform, integration_id: integrationId, state, post_url: postUrl }] : [];
    }),
  },
});

function stateOf({ status, errorType, removal }: PublishResult): z.output<typeof standing>['state'] | undefined {
  if (errorType === 'unknown_outcome') return 'unknown';
  if (status !== 'PUBLISH_RESULT_STATUS_SUCCESS' || removal?.status === 'REMOVAL_STATUS_REMOVED') return undefined;
  return removal?.status === 'REMOVAL_STATUS_PENDING' ? 'removing' : 'published';
}
