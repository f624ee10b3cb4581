import { z } from 'zod';
import type { Content } from '../connector.ts';

/** What TikTok needs or offers beyond the contract's fields. */
export const options = z.strictObject({
  post_mode: z
    .enum(['direct', 'draft'])
    .optional()
    .describe(
      'direct publishes the post, and is meant when absent; draft puts it into the inbox of the account, where its owner finishes and posts it in the app. A draft needs no other option, and takes none but photo_cover_index: what else there is to say is chosen in the app. Nobody else sees it until then, and its result has a warning that says so.',
    ),
  privacy_level: z
    .enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'])
    .optional()
    .describe(
      'Who can see the post. TikTok asks for a choice: without it nothing but a draft is sent. Private accounts have FOLLOWER_OF_CREATOR in place of PUBLIC_TO_EVERYONE; an app that TikTok has not audited has SELF_ONLY alone.',
    ),
  disable_comment: z.boolean().optional().describe('Whether nobody may comment; false when absent.'),
  disable_duet: z.boolean().optional().describe('Whether nobody may make a duet with the video; false when absent.'),
  disable_stitch: z.boolean().optional().describe('Whether nobody may stitch the video; false when absent.'),
  disclose_branded_content: z
    .boolean()
    .optional()
    .describe(
      'Whether the post is a paid partnership that promotes another business; TikTok then labels it so. Not with the privacy_level SELF_ONLY.',
    ),
  disclose_own_brand: z.boolean().optional().describe("Whether the post promotes the account's own business; TikTok then labels it so."),
  disclose_ai_generated: z
    .boolean()
    .optional()
    .describe('Whether the video is made by AI; TikTok then labels it so. Videos only: TikTok takes no such label for photos.'),
  auto_add_music: z.boolean().optional().describe('Whether TikTok adds music of its choice to photos; false when absent.'),
  photo_cover_index: z.int().min(0).max(34).optional().describe('Which photo is the cover, counted from 0; the first when absent.'),
});

/** Whether the post is for the account's owner to finish in the app. */
export function isDraft({ options: given }: Pick<Content, 'options'>): boolean {
  return options.safeParse(given ?? {}).data?.post_mode === 'draft';
}
