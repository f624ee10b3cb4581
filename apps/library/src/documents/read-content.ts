import { DomainError } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import type { MediaUrls } from '../media/domain/media-urls.ts';

/** Half of what a document of MongoDB holds: the rest of a file, and what a change of it writes down besides, fit in too. */
const MAX_BYTES = 8 << 20;

/**
 * What is stored of a text: the text itself, to the byte, and what it says.
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
