import { createHash } from 'node:crypto';
import type { Content } from '@fanfare/connectors';

/** Identifies the content of a commit: normalized caption and the number of media by type. Stored before the commit. */
export function fingerprint({ caption, media }: Content): string {
  const text = caption.normalize('NFC').replace(/\s+/g, ' ').trim();
  const kinds = media.map(({ type }) => type).join(',');
  return createHash('sha256')
    .update(JSON.stringify([text, kinds]))
    .digest('hex')
    .slice(0, 32);
}
