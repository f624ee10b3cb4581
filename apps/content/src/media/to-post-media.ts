import type { PostMedia } from '@fanfare/contracts/content';
import type { Media } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { mediaFacts } from './media-facts.ts';
import { mediaTexts } from './media-texts.ts';

/**
 * Media of the library, as a post stores them.
 * @param param the request parameter for the error
 * @throws DomainError invalid_value if a post cannot use the media
 */
export function toPostMedia(media: Media, param: string): PostMedia {
  const reason = whyNot(media);
  if (reason !== undefined) throw new DomainError('invalid_value', reason, { param });
  return {
    id: media.id,
    url: media.url,
    type: media.type === 'MEDIA_TYPE_VIDEO' ? 'video' : 'image',
    ...mediaTexts(media),
    duration: (media.durationMs ?? 0) / 1000,
    facts: mediaFacts(media),
  };
}

/** Why a post cannot use existing media; undefined if it can. A library of the previous version has only media that are ready. */
export function whyNot({ status, type, failure }: Media): string | undefined {
  if (status === 'MEDIA_STATUS_PROCESSING') return 'This media is still being processed. Use it when its status is ready.';
  if (status === 'MEDIA_STATUS_FAILED')
    return `This media cannot be used because its processing failed: ${failure?.detail ?? 'it could not be processed.'}`;
  return type === 'MEDIA_TYPE_AUDIO' ? 'This media is audio. Posts can only contain images and videos.' : undefined;
}
