import { z } from 'zod';
import type { Content } from '../connector.ts';

/** TikTok's options beyond the common fields of a post. */
export const options = z.strictObject({
  post_mode: z
    .enum(['direct', 'draft'])
    .optional()
    .describe(
      'direct (the default) publishes the post; draft puts it into the inbox of the account, where its owner finishes and posts it in the TikTok app. A draft requires no other option and uses only photo_cover_index; everything else is chosen in the app. Only the owner sees it until then, and its result has a warning about this.',
    ),
  privacy_level: z
    .enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'])
    .optional()
    .describe(
      'Who can see the post. Required for everything but drafts. Private accounts have FOLLOWER_OF_CREATOR instead of PUBLIC_TO_EVERYONE; an app that TikTok has not audited has only SELF_ONLY.',
    ),
  disable_comment: z.boolean().optional().describe('Whether comments are disabled. Defaults to false.'),
  disable_duet: z.boolean().optional().describe('Whether duets with the video are disabled. Defaults to false.'),
  disable_stitch: z.boolean().optional().describe('Whether stitching the video is disabled. Defaults to false.'),
  disclose_branded_content: z
    .boolean()
    .optional()
    .describe(
      'Whether the post is a paid partnership that promotes another business. TikTok then labels it. Not allowed with the privacy_level SELF_ONLY.',
    ),
  disclose_own_brand: z.boolean().optional().describe("Whether the post promotes the account's own business. TikTok then labels it."),
  disclose_ai_generated: z
    .boolean()
    .optional()
    .describe('Whether the video was made with AI. TikTok then labels it. Videos only: TikTok has no such label for photos.'),
  auto_add_music: z.boolean().optional().describe('Whether TikTok adds music of its choice to photos. Defaults to false.'),
  photo_cover_index: z.int().min(0).max(34).optional().describe('Index of the cover photo, counted from 0. Defaults to the first.'),
});

/** Whether the post is for the account's owner to finish in the app. */
export function isDraft({ options: given }: Pick<Content, 'options'>): boolean {
  return options.safeParse(given ?? {}).data?.post_mode === 'draft';
}
