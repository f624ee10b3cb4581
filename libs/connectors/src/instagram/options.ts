import { z } from 'zod';
import { mediaFit } from '../checks/media-fit.ts';
import { line } from '../text/whole-text.ts';

const username = z
  .string()
  .regex(/^@?[A-Za-z0-9._]{1,30}$/, 'must be an Instagram username: up to 30 letters, digits, dots and underscores');
const share = z.number().min(0).max(1);

const userTag = z.strictObject({
  username: username.describe('Username of the public account to tag.'),
  x: share
    .optional()
    .describe(
      'Horizontal position of the tag, from 0 (left) to 1 (right). Required for images, optional for stories, not allowed for reels.',
    ),
  y: share
    .optional()
    .describe(
      'Vertical position of the tag, from 0 (top) to 1 (bottom). Required for images, optional for stories, not allowed for reels.',
    ),
  media_index: z
    .int()
    .min(0)
    .max(9)
    .optional()
    .describe('Index of the image to tag in a post with several, counted from 0. Defaults to the first.'),
});

const trialParams = z.strictObject({
  graduation_strategy: z
    .enum(['MANUAL', 'SS_PERFORMANCE'])
    .describe(
      'When the trial ends and followers see the reel: MANUAL, when a person ends it in the Instagram app; SS_PERFORMANCE, when the reel performs well.',
    ),
});

/** Instagram's options beyond the common fields of a post (platform reference 2.2). */
export const options = z.strictObject({
  kind: z
    .enum(['post', 'story'])
    .optional()
    .describe(
      'What to publish. Defaults to a post; a post with a single video becomes a reel. A story is one image or one video of at most 60 seconds. Its caption is not sent, and it cannot have a first comment, a location or collaborators.',
    ),
  collaborators: z.array(username).max(3).optional().describe('Usernames of public accounts to invite as co-authors; at most 3.'),
  user_tags: z.array(userTag).max(200).optional().describe('People to tag; at most 20 in each image, reel or story.'),
  location_id: z
    .string()
    .regex(/^\d{1,32}$/, 'must be the numeric ID of a Facebook page')
    .optional()
    .describe('Location of the post: the numeric ID of a Facebook page that has a location.'),
  is_ai_generated: z.boolean().optional().describe('Whether the media was made with AI. Instagram then labels it.'),
  share_to_feed: z
    .boolean()
    .optional()
    .describe("Whether a reel also appears among the account's posts. Defaults to true. Has no effect on other posts."),
  thumb_offset: z
    .int()
    .min(0)
    .optional()
    .describe("Cover frame of a reel, in milliseconds from its start. The post's cover_media_id takes precedence."),
  audio_name: line(100).optional().describe("Name of a reel's own audio. Defaults to the name of the account."),
  trial_params: trialParams.optional().describe('Publishes a reel as a trial, which is shown to people who do not follow the account.'),
  ...mediaFit,
});

export type InstagramOptions = z.infer<typeof options>;
