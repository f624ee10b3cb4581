import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';
import { pollAnswers } from '../whole-text.ts';

const poll = z.strictObject({
  options: pollAnswers({ most: 4, maxLength: 25 }).describe('What can be chosen: 2 to 4 different answers of at most 25 characters.'),
  duration_minutes: z.int().min(5).max(10_080).describe('How long the poll is open, in minutes: 5 to 10080, which is a week.'),
});

/** What X offers beyond the contract's fields (platform reference 4.2). */
export const options = z.strictObject({
  reply_settings: z
    .enum(['following', 'mentionedUsers', 'subscribers', 'verified'])
    .optional()
    .describe('Who may reply; everyone when absent.'),
  append_link: z
    .boolean()
    .optional()
    .describe(
      "Whether the post's link is put behind the text, where the text does not hold it; it counts 23 characters there. False when absent: X has no field for a link, and charges more for posts with one.",
    ),
  made_with_ai: z.boolean().optional().describe('Whether the post holds media made by AI; X then labels it so.'),
  paid_partnership: z.boolean().optional().describe('Whether the post is paid for by another business; X then labels it so.'),
  poll: poll.optional().describe('A poll under the text, in place of pictures and videos.'),
  community_id: z
    .string()
    .regex(/^\d{1,19}$/, 'must be the number that X knows it by')
    .optional()
    .describe('A community of which the account is a member, to post in, by its number.'),
  premium: z
    .boolean()
    .optional()
    .describe(
      'Whether the account subscribes to X Premium: texts may then have 4000 characters, and X decides how long a video may be. When absent, as X said when the account was connected, or refreshed by a call.',
    ),
  ...mediaFit,
});
