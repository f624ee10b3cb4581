import { z } from 'zod';
import { isAssignable } from './categories.ts';
import { badVideo } from './errors.ts';
import { limits } from './limits.ts';

/** The metadata of a new video; YouTube has no other fields. */
export const videoBody = z.strictObject({
  snippet: z
    .strictObject({
      title: z.string().optional(),
      description: z.string().default(''),
      tags: z.array(z.string()).default([]),
      categoryId: z.string().optional(),
      defaultLanguage: z.string().optional(),
      defaultAudioLanguage: z.string().optional(),
    })
    .optional(),
  status: z
    .strictObject({
      privacyStatus: z.enum(['public', 'unlisted', 'private']).default('public'),
      selfDeclaredMadeForKids: z.boolean().default(false),
      containsSyntheticMedia: z.boolean().optional(),
      embeddable: z.boolean().optional(),
      license: z.enum(['youtube', 'creativeCommon']).optional(),
      publicStatsViewable: z.boolean().optional(),
      publishAt: z.iso.datetime({ offset: true }).optional(),
    })
    .optional(),
});

export type VideoBody = z.output<typeof videoBody>;

/** What the types cannot express. */
export function checkVideo({ snippet, status }: VideoBody, parts: string[]): void {
  if (snippet && !parts.includes('snippet')) throw badVideo('unexpectedPart', "'snippet'", 'part');
  if (status && !parts.includes('status')) throw badVideo('unexpectedPart', "'status'", 'part');
  const { title = '', description = '', tags = [], categoryId, defaultLanguage, defaultAudioLanguage } = snippet ?? {};
  if (title.trim() === '' || [...title].length > limits.titleCharacters || /[<>]/.test(title))
    throw badVideo('invalidTitle', 'The request metadata specifies an invalid or empty video title.', 'body.snippet.title');
  if (Buffer.byteLength(description) > limits.descriptionBytes || /[<>]/.test(description))
    throw badVideo('invalidDescription', 'The request metadata specifies an invalid video description.', 'body.snippet.description');
  if (tagCharacters(tags) > limits.tagCharacters || tags.some((tag) => tag === '' || /[<>]/.test(tag)))
    throw badVideo('invalidTags', 'The request metadata specifies invalid video keywords.', 'body.snippet.tags');
  if (categoryId !== undefined && !isAssignable(categoryId))
    throw badVideo('invalidCategoryId', 'The request metadata specifies an invalid category ID.', 'body.snippet.categoryId');
  if (defaultLanguage !== undefined && !isLanguage(defaultLanguage))
    throw badVideo('invalidVideoMetadata', 'The request metadata specifies an invalid language.', 'body.snippet.defaultLanguage');
  if (defaultAudioLanguage !== undefined && !isLanguage(defaultAudioLanguage))
    throw badVideo('invalidVideoMetadata', 'The request metadata specifies an invalid language.', 'body.snippet.defaultAudioLanguage');
  if (status?.publishAt !== undefined && status.privacyStatus !== 'private')
    throw badVideo('invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.', 'body.status.publishAt');
}

/** BCP 47, of the languages that have a short code. */
function isLanguage(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language.length <= 3;
  } catch {
    return false;
  }
}

/** Commas between them count, and the quotes around those with spaces. */
const tagCharacters = (tags: string[]): number => [...tags.map((tag) => (tag.includes(' ') ? `"${tag}"` : tag)).join(',')].length;
