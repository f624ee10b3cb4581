import type { PostMediaFacts } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';

/** The facts that a post stores about media, for checks against the limits of platforms. */
export function mediaFacts({ mimeType, sizeBytes, width, height, durationMs, altText, facts }: Media): PostMediaFacts {
  return { mimeType, sizeBytes, width, height, durationMs, altText, frames: facts?.frames, frameRate: facts?.frameRate };
}
