import type { PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

/** The texts of media that a post shows: the description if there is one, otherwise the alternative text, and the transcript. */
export function mediaTexts({ description, altText, transcript }: Media): Pick<PostMedia, 'description' | 'transcript'> {
  return { description: description || altText, transcript };
}

/** In UTF-16 units. As UTF-8 this is at most 3 MB, so that a post fits into a MongoDB document and into a response. */
const MAX_TRANSCRIPTS_CHARS = 1_000_000;

/** Removes transcripts that exceed the limit of a post, starting from the last media. */
export function withinRoom<T extends { media: PostMedia[]; overrides: PlatformOverride[] }>(given: T): T {
  let room = MAX_TRANSCRIPTS_CHARS;
  const bounded = (items: PostMedia[]) =>
    items.map((item) => {
      if (item.transcript.length > room) return { ...item, transcript: '' };
      room -= item.transcript.length;
      return item;
    });
  const media = bounded(given.media);
  const overrides = given.overrides.map((one) => (one.media ? { ...one, media: { items: bounded(one.media.items) } } : one));
  return { ...given, media, overrides };
}
