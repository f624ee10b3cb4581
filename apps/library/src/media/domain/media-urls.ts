import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningKeys } from './signing-keys.ts';

/** Signs and verifies the URLs of media. The signature is the only credential: anyone who has a URL can read the file. */
export interface MediaUrls {
  /** The URL in responses of the API. Never expires, and stays the same as long as the signing key does. */
  stable(mediaId: string): string;
  /** URLs for platforms and our own services. They expire at `expiresAt`, rounded down to a second. */
  expiring(mediaId: string, expiresAt: Date): { publicUrl: string; internalUrl: string };
  /** Whether a signature, with the `expires` of the query, is valid and has not expired. */
  verify(mediaId: string, signature: string, expires: string | null, now: Date): boolean;
  /** Whether a URL is a media URL on our public host, whatever its signature. */
  isOurs(url: string): boolean;
  /** The media id of a URL on our public host. Undefined if it is not such a URL, or its signature is not valid. */
  mediaIdOf(url: string, now: Date): string | undefined;
  /** The ids of media whose URLs a text contains, with or without the origin (`/media/…`), in the order of their first occurrence; at most 100. */
  mediaIdsIn(text: string, now: Date): string[];
}

const MAX_IN_TEXT = 100;
/** The most URLs in a text whose signatures are verified, to bound the cost. */
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

  /** Matches only the characters of our URLs, because brackets, quotes, emphasis or a full stop may follow in a text. */
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

/** What may precede a URL without an origin. Excludes paths of URLs on other hosts. */
const BEFORE_A_PATH = String.raw`(?<![^\s("'<=\[])`;

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Compares in constant time. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
