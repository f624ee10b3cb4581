import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';
import { line, pollAnswers } from '../whole-text.ts';
import { MAX_ARTICLE_DESCRIPTION } from './limits.ts';

const poll = z.strictObject({
  question: line(140).describe('What is asked, under the text: at most 140 characters.'),
  options: pollAnswers({ most: 4, maxLength: 30 }).describe('What can be chosen: 2 to 4 different answers of at most 30 characters.'),
  duration: z
    .enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'])
    .default('THREE_DAYS')
    .describe('How long the poll is open; three days when absent.'),
});

/** What LinkedIn offers beyond the contract's fields (platform reference 3.2). */
export const options = z.strictObject({
  visibility: z
    .enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'])
    .default('PUBLIC')
    .describe('Who may see the post: everyone (when absent), connections of the member (not for pages), or everyone who is logged in.'),
  article: z
    .boolean()
    .optional()
    .describe(
      "Whether the post's link is shown as a card under the text, in posts without pictures and videos. False when absent: the link is then for other platforms. LinkedIn reads nothing of the page: the card's title is the override's, or else the link's host and path.",
    ),
  article_description: line(MAX_ARTICLE_DESCRIPTION)
    .optional()
    .describe('What stands under the title of that card: at most 256 characters.'),
  poll: poll.optional().describe("A poll under the text, in place of pictures, videos and the link's card."),
  ...mediaFit,
});
