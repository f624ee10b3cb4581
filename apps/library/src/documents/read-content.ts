import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import type { MediaUrls } from '../media/domain/media-urls.ts';

/** Half of the largest MongoDB document, so that the other fields and the fields of an update fit too. */
const MAX_BYTES = 8 << 20;

/**
 * The stored fields of a text: the text, byte for byte, its size, and the media whose URLs it contains.
 * @throws DomainError payload_too_large, param `content`
 */
export function readContent(
  text: string,
  { urls }: { urls: Pick<MediaUrls, 'mediaIdsIn'> },
): { body_text: string; size_bytes: number; media_ids: string[] } {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) throw new DomainError('payload_too_large', 'The text is larger than 8 MiB.', { param: 'content' });
  return { body_text: text, size_bytes: bytes, media_ids: urls.mediaIdsIn(text, currentTime()) };
}
