import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningKeys } from './signing-keys.ts';

/** Makes and checks the URLs of media. Whoever holds one may read the bytes: there is no other credential. */
export interface MediaUrls {
  /** What callers are shown. Stays the same while the key does, and never expires. */
  stable(mediaId: string): string;
  /** What platforms and our own processes pull from; ends at `expiresAt`, to the second. */
  expiring(mediaId: string, expiresAt: Date): { publicUrl: string; internalUrl: string };
  /** Whether a signature, with the `expires` of its query, is one of ours and not over. */
  verify(mediaId: string, signature: string, expires: string | null, now: Date): boolean;
  /** Whether a URL is one of media on our own public host, whatever its signature. */
  isOurs(url: string): boolean;
  /** The media that a URL on our own public host names; undefined when it is no such URL or its signature does not hold. */
  mediaIdOf(url: string, now: Date): string | undefined;
  /** The media whose URLs a text holds, whole or without their origin (`/media/…`), in the order in which they first appear; at most 100. */
  mediaIdsIn(text: string, now: Date): string[];
}

const MAX_IN_TEXT = 100;
/** Of URLs that look like ours: each costs a signature to check, and a text has room for very many. */
const MAX_CHECKED_IN_TEXT = 1_000;

export function createMediaUrls(options: { publicBaseUrl: string; internalBaseUrl: string; keys: SigningKeys }): MediaUrls {
  const { publicBaseUrl, internalBaseUrl, keys } = options;
  const [signingKeyId] = keys.keys();
  if (signingKeyId === undefined) throw new Error('Media URLs need a signing key.');
  const publicPrefix = new URL(`${publicBaseUrl}/media/`);

  const mac = (key: Buffer, mediaId: string, expires: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['media', mediaId, expires]))
      .digest('base64url');

  const path = (mediaId: string, expires: string) => {
    const key = keys.get(signingKeyId) as Buffer;
    const signature = `${signingKeyId}.${mac(key, mediaId, expires)}`;
    return `/media/${mediaId}/${signature}${expires === '' ? '' : `?expires=${expires}`}`;
  };

  const verify: MediaUrls['verify'] = (mediaId, signature, expires, now) => {
    const [keyId = '', given = ''] = signature.split('.', 2);
    const key = keys.get(keyId);
    if (!key || expires === '' || !sameText(signature, `${keyId}.${mac(key, mediaId, expires ?? '')}`)) return false;
    return given !== '' && (expires === null || Number(expires) * 1000 > now.getTime());
  };

  const ours = (text: string): URL | undefined => {
    const url = URL.parse(text);
    return url && url.origin === publicPrefix.origin && url.pathname.startsWith(publicPrefix.pathname) ? url : undefined;
  };

  /** Ends where a URL of ours ends, whatever stands after it: text has brackets, quotes, emphasis and full stops there. */
  const inText = new RegExp(
    `(?:${literal(publicPrefix.origin)}|${BEFORE_A_PATH})${literal(publicPrefix.pathname)}[\\w-]{1,64}/[\\w-]{1,64}\\.[\\w-]{43}(?:\\?expires=\\d{1,15})?`,
    'g',
  );

  const mediaIdOf: MediaUrls['mediaIdOf'] = (text, now) => {
    const url = ours(text);
    const [mediaId, signature, ...rest] = url?.pathname.slice(publicPrefix.pathname.length).split('/') ?? [];
    if (!url || mediaId === undefined || signature === undefined || rest.length > 0) return undefined;
    return verify(mediaId, signature, url.searchParams.get('expires'), now) ? mediaId : undefined;
  };

  return {
    stable: (mediaId) => publicBaseUrl + path(mediaId, ''),
    expiring(mediaId, expiresAt) {
      const signed = path(mediaId, String(Math.floor(expiresAt.getTime() / 1000)));
      return { publicUrl: publicBaseUrl + signed, internalUrl: internalBaseUrl + signed };
    },
    verify,
    isOurs: (text) => ours(text) !== undefined,
    mediaIdOf,
    mediaIdsIn(text, now) {
      const found = new Set<string>();
      const checked = new Set<string>();
      for (const [written] of text.matchAll(inText)) {
        const url = written.startsWith('/') ? publicPrefix.origin + written : written;
        if (checked.has(url)) continue;
        if (found.size === MAX_IN_TEXT || checked.size === MAX_CHECKED_IN_TEXT) break;
        checked.add(url);
        const id = mediaIdOf(url, now);
        if (id !== undefined) found.add(id);
      }
      return [...found];
    },
  };
}

/** A URL may be written without its origin, but what stands behind another host's is that host's. */
const BEFORE_A_PATH = String.raw`(?<![^\s("'<=\[])`;

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Takes the same time wherever the texts differ. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
