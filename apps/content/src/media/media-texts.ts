import type { PlatformOverride, PostMedia } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

/** What a post shows of what the library says of a media; the prose where somebody wrote it, else the alternative text. */
export function mediaTexts({ description, altText, transcript }: Media): Pick<PostMedia, 'description' | 'transcript'> {
  return { description: description || altText, transcript };
}

/** UTF-16 units; as UTF-8 no more than 3 MB, so that a post fits into a document of the database and into a response. */
const MAX_TRANSCRIPTS_CHARS = 1_000_000;

/** The media of a post without the transcripts that it has no room for, from its end: a hundred long ones would fit nowhere. */
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
