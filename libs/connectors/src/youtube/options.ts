import { z } from 'zod';
import { line } from '../whole-text.ts';
import { MAX_TAG_CHARACTERS } from './limits.ts';

/** What YouTube offers beyond the contract's fields. */
export const options = z.strictObject({
  privacy_status: z.enum(['public', 'unlisted', 'private']).optional().describe('Who can see the video; public when absent.'),
  category_id: z
    .string()
    .regex(/^\d{1,5}$/, 'must be the number that YouTube knows it by')
    .optional()
    .describe(
      "The number of one of YouTube's video categories, such as 28 for science and technology; 22, people and blogs, when absent. Those of a channel are at its choices.",
    ),
  tags: z
    .array(line(MAX_TAG_CHARACTERS).regex(/^[^<>,]+$/, 'must be without <, > and commas'))
    .refine((tags) => tagCharacters(tags) <= MAX_TAG_CHARACTERS, `must have at most ${MAX_TAG_CHARACTERS} characters together`)
    .optional()
    .describe(
      `Keywords; at most ${MAX_TAG_CHARACTERS} characters together, commas between them and quotes around those with spaces included.`,
    ),
  made_for_kids: z
    .boolean()
    .optional()
    .describe(
      'Whether the video is made for children, by the law that YouTube asks about; such a video takes no comments. False when absent.',
    ),
  contains_synthetic_media: z
    .boolean()
    .optional()
    .describe('Whether the video looks real and was altered or made by AI, which YouTube then says of it; says neither when absent.'),
  default_language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/, 'must be a language, such as en or pt-BR')
    .optional()
    .describe('The language of the title and the description, by BCP 47, such as `en` or `pt-BR`.'),
  notify_subscribers: z
    .boolean()
    .optional()
    .describe("Whether YouTube tells the channel's subscribers of the new video; true when absent."),
});

function tagCharacters(tags: readonly string[]): number {
  const quoted = tags.map((tag) => (/\s/.test(tag) ? `"${tag}"` : tag));
  return [...quoted.join(',')].length;
}
