import { at, listAt, stringAt } from '../calls/fields.ts';
import { isForbidden } from '../reading/read-partly.ts';
import { requiredObject } from '../reading/required.ts';
import type { ReadCall } from '../reading/reading.ts';
import { linkedinGet } from './linkedin-call.ts';

/** LinkedIn rejects URLs of more than 4 KB, and a URN has about 40 characters. */
const MOST_AT_ONCE = 80;
const KINDS = { images: /^urn:li:image:[\w-]+$/, videos: /^urn:li:video:[\w-]+$/ };

/** The images and videos that a post shows, by URN, and the image of its link card. */
export function mediaOf(post: unknown): { readonly shown: readonly string[]; readonly card: string | undefined } {
  const content = at(post, 'content');
  const parts = [at(content, 'media'), ...listAt(content, 'multiImage', 'images')];
  return { shown: parts.flatMap((part) => stringAt(part, 'id') ?? []), card: stringAt(content, 'article', 'thumbnail') };
}

/**
 * Reads the media of posts, which name only their URNs: all images in one call, and all videos in another. Their URLs are signed and expire. Media that
 * LinkedIn does not return are absent, and so are those beyond the most at once.
 */
export async function readMedia(call: ReadCall, posts: readonly unknown[]): Promise<ReadonlyMap<string, unknown>> {
  const urns = posts.map(mediaOf).flatMap(({ shown, card }) => (card === undefined ? shown : [...shown, card]));
  const found = new Map<string, unknown>();
  for (const [kind, pattern] of Object.entries(KINDS)) {
    const some = [...new Set(urns.filter((urn) => pattern.test(urn)))].slice(0, MOST_AT_ONCE);
    if (some.length === 0) continue;
    try {
      const response = await linkedinGet(call, { path: `/${kind}?ids=List(${some.map(encodeURIComponent).join(',')})` });
      for (const [urn, media] of Object.entries(requiredObject(response, 'results'))) found.set(urn, media);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
  return found;
}
