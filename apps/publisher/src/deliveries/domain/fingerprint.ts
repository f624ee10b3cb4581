import { createHash } from 'node:crypto';
import type { Content } from '@fanfare/connectors';

/** What a commit is recognized by: normalized caption, and how many media of which type. Written down before the commit. */
export function fingerprint({ caption, media }: Content): string {
  const text = caption.normalize('NFC').replace(/\s+/g, ' ').trim();
  const kinds = media.map(({ type }) => type).join(',');
  return createHash('sha256')
    .update(JSON.stringify([text, kinds]))
    .digest('hex')
    .slice(0, 32);
}
