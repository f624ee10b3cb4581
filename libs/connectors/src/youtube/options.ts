import { z } from 'zod';
import { line } from '../text/whole-text.ts';
import { MAX_TAG_CHARACTERS } from './limits.ts';

/** YouTube's options beyond the common fields of a post. */
export const options = z.strictObject({
  privacy_status: z.enum(['public', 'unlisted', 'private']).optional().describe('Who can see the video. Defaults to public.'),
  category_id: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a numeric YouTube ID')
    .optional()
    .describe(
      'Numeric ID of a YouTube video category, such as 28 (science and technology). Defaults to 22 (people and blogs). The choices of this option list the categories of a channel.',
    ),
  tags: z
    .array(line(MAX_TAG_CHARACTERS).regex(/^[^<>,]+$/, 'must not contain <, > or commas'))
    .refine((tags) => tagCharacters(tags) <= MAX_TAG_CHARACTERS, `must have at most ${MAX_TAG_CHARACTERS} characters in total`)
    .optional()
    .describe(
      `Keywords; at most ${MAX_TAG_CHARACTERS} characters in total, including commas between them and quotes around those with spaces.`,
    ),
  made_for_kids: z
    .boolean()
    .optional()
    .describe(
      'Whether the video is made for kids. YouTube is required by law to ask. Such a video cannot have comments. Defaults to false.',
    ),
  contains_synthetic_media: z
    .boolean()
    .optional()
    .describe('Whether the video looks real and was altered or made with AI. YouTube then labels it. If absent, no declaration is sent.'),
  default_language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/, 'must be a language code, such as en or pt-BR')
    .optional()
    .describe('Language of the title and the description (BCP 47), such as `en` or `pt-BR`.'),
  notify_subscribers: z
    .boolean()
    .optional()
    .describe("Whether YouTube notifies the channel's subscribers of the new video. Defaults to true."),
});

function tagCharacters(tags: readonly string[]): number {
  const quoted = tags.map((tag) => (/\s/.test(tag) ? `"${tag}"` : tag));
  return [...quoted.join(',')].length;
}
