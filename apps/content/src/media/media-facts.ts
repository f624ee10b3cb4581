import type { CheckedMedia } from '@fanfare/connectors/preflight';
import type { PostMedia, PostMediaFacts } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

/** What a post notes of a media for the platforms that it goes to. */
export function mediaFacts({ mimeType, sizeBytes, width, height, durationMs, altText, facts }: Media): PostMediaFacts {
  return { mimeType, sizeBytes, width, height, durationMs, altText, frames: facts?.frames, frameRate: facts?.frameRate };
}

/** The media as platforms look at them; undefined when of one of them nobody noted what it is. */
export function checkedMedia(media: readonly PostMedia[]): CheckedMedia[] | undefined {
  const known = media.flatMap(({ type, facts }): CheckedMedia[] => {
    if (!facts) return [];
    const { durationMs, frames, frameRate, ...rest } = facts;
    return [
      {
        ...rest,
        type: type === 'video' ? 'video' : 'image',
        ...(durationMs !== undefined && { durationMs }),
        ...(frames !== undefined && { frames }),
        ...(frameRate !== undefined && { frameRate }),
      },
    ];
  });
  return known.length === media.length ? known : undefined;
}
