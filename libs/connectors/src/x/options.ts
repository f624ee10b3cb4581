import { z } from 'zod';
import { mediaFit } from '../checks/media-fit.ts';
import { pollAnswers } from '../text/whole-text.ts';

const poll = z.strictObject({
  options: pollAnswers({ most: 4, maxLength: 25 }).describe(
    'The choices of the poll: 2 to 4, all different, of at most 25 characters each.',
  ),
  duration_minutes: z.int().min(5).max(10_080).describe('How long the poll is open, in minutes: 5 to 10080 (one week).'),
});

/** X's options beyond the common fields of a post (platform reference 4.2). */
export const options = z.strictObject({
  reply_settings: z
    .enum(['following', 'mentionedUsers', 'subscribers', 'verified'])
    .optional()
    .describe('Who can reply. Defaults to everyone.'),
  append_link: z
    .boolean()
    .optional()
    .describe(
      "Whether to append the post's link to the text if the text does not contain it; it counts as 23 characters. Defaults to false: X has no field for a link and charges more for posts with one.",
    ),
  made_with_ai: z.boolean().optional().describe('Whether the post contains media made with AI. X then labels it.'),
  paid_partnership: z.boolean().optional().describe('Whether another business pays for the post. X then labels it.'),
  poll: poll.optional().describe('A poll under the text, instead of images and videos.'),
  community_id: z
    .string()
    .regex(/^\d{1,19}$/, 'must be a numeric X ID')
    .optional()
    .describe('Numeric ID of a community to post in. The account must be a member.'),
  premium: z
    .boolean()
    .optional()
    .describe(
      'Whether the account subscribes to X Premium. Texts can then have 4000 characters, and X decides how long a video can be. Defaults to what X reported when the account was connected or last refreshed through the API.',
    ),
  ...mediaFit,
});
