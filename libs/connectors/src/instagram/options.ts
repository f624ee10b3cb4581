import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';
import { line } from '../whole-text.ts';

const username = z
  .string()
  .regex(/^@?[A-Za-z0-9._]{1,30}$/, 'must be a user name of Instagram: up to 30 letters, digits, dots and underscores');
const share = z.number().min(0).max(1);

const userTag = z.strictObject({
  username: username.describe('Username of the public account that is tagged.'),
  x: share
    .optional()
    .describe(
      'Where the tag stands in a picture, from its left side, 0, to its right side, 1. Pictures need it, reels have none, stories may have it.',
    ),
  y: share
    .optional()
    .describe(
      'Where the tag stands in a picture, from its top, 0, to its bottom, 1. Pictures need it, reels have none, stories may have it.',
    ),
  media_index: z
    .int()
    .min(0)
    .max(9)
    .optional()
    .describe('Which of several pictures the tag stands in, counted from 0; the first when absent.'),
});

const trialParams = z.strictObject({
  graduation_strategy: z
    .enum(['MANUAL', 'SS_PERFORMANCE'])
    .describe(
      'When the trial ends and followers see the reel: MANUAL, when somebody says so in the app; SS_PERFORMANCE, when it does well.',
    ),
});

/** What Instagram offers beyond the contract's fields (platform reference 2.2). */
export const options = z.strictObject({
  kind: z
    .enum(['post', 'story'])
    .optional()
    .describe(
      'What is published; a post when absent, which a single video makes a reel. A story is one picture or one video of at most 60 seconds; its caption is not sent, and it takes neither a first comment, nor a location or collaborators.',
    ),
  collaborators: z.array(username).max(3).optional().describe('Usernames of public accounts that are invited as co-authors; at most 3.'),
  user_tags: z.array(userTag).max(200).optional().describe('People who are tagged; at most 20 in each picture, reel or story.'),
  location_id: z
    .string()
    .regex(/^\d{1,32}$/, 'must be the number of a Facebook page')
    .optional()
    .describe('Where it was: the number of a Facebook page that has a location.'),
  is_ai_generated: z.boolean().optional().describe('Whether it is made by AI; Instagram then labels it so.'),
  share_to_feed: z
    .boolean()
    .optional()
    .describe('Whether a reel is shown among the posts too; true when absent. Has no meaning for others.'),
  thumb_offset: z
    .int()
    .min(0)
    .optional()
    .describe("The frame of a reel that is its cover, in milliseconds from its start; the post's cover_media_id goes before it."),
  audio_name: line(100).optional().describe("What a reel's own sound is called; the account's name when absent."),
  trial_params: trialParams.optional().describe('Makes a reel a trial, which is shown to those who do not follow the account.'),
  ...mediaFit,
});

export type InstagramOptions = z.infer<typeof options>;
