import { z } from 'zod';
import { mediaFit } from '../checks/media-fit.ts';
import { line, pollAnswers } from '../text/whole-text.ts';
import { MAX_ARTICLE_DESCRIPTION } from './limits.ts';

const poll = z.strictObject({
  question: line(140).describe('The question, shown under the text: at most 140 characters.'),
  options: pollAnswers({ most: 4, maxLength: 30 }).describe(
    'The choices of the poll: 2 to 4, all different, of at most 30 characters each.',
  ),
  duration: z
    .enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'])
    .default('THREE_DAYS')
    .describe('How long the poll is open. Defaults to three days.'),
});

/** LinkedIn's options beyond the common fields of a post (platform reference 3.2). */
export const options = z.strictObject({
  visibility: z
    .enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'])
    .default('PUBLIC')
    .describe('Who can see the post: everyone (the default), connections of the member (not for pages), or everyone who is logged in.'),
  article: z
    .boolean()
    .optional()
    .describe(
      "Whether to show the post's link as a card under the text, in posts without images and videos. Defaults to false: the link is not sent to LinkedIn. LinkedIn does not read the page: the card's title is the title of the override, or else the link's host and path.",
    ),
  article_description: line(MAX_ARTICLE_DESCRIPTION)
    .optional()
    .describe('Description under the title of the link card (`article`): at most 256 characters.'),
  poll: poll.optional().describe('A poll under the text, instead of images, videos and the link card.'),
  ...mediaFit,
});
