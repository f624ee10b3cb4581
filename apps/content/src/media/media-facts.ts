import type { PostMediaFacts } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

/** What a post notes of a media for the platforms that it goes to. */
export function mediaFacts({ mimeType, sizeBytes, width, height, durationMs, altText, facts }: Media): PostMediaFacts {
  return { mimeType, sizeBytes, width, height, durationMs, altText, frames: facts?.frames, frameRate: facts?.frameRate };
}
