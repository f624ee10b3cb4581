import twitterText from 'twitter-text';
import { limits } from './limits.ts';

export interface UrlEntity {
  start: number;
  end: number;
  url: string;
  expanded_url: string;
  display_url: string;
  media_key?: string;
}

/** The weighted length by X's own library: links count 23, most scripts 1, the others and emoji 2. */
export const weighted = (text: string) => twitterText.parseTweet(text.normalize('NFC'));

export const cashtagsIn = (text: string) => twitterText.extractCashtags(text);

/** The text as X stores it: each link is replaced by a t.co one, and images add one at the end. Offsets count code points. */
export function shortenLinks(
  text: string,
  number: string,
  images: { address: string; mediaKeys: string[] } | null,
): { text: string; urls: UrlEntity[] } {
  const found = twitterText.extractUrlsWithIndices(text);
  const urls: UrlEntity[] = [];
  let result = '';
  let at = 0;
  for (const [position, { url, indices }] of found.entries()) {
    result += text.slice(at, indices[0]);
    const expanded = /^https?:\/\//i.test(url) ? url : `http://${url}`;
    result += add(result, `${number.slice(-9)}${position}`, expanded);
    at = indices[1];
  }
  result += text.slice(at);
  if (images) {
    if (result) result += ' ';
    const short = `${number.slice(-9)}m`;
    const before = result;
    for (const mediaKey of images.mediaKeys) urls.push({ ...entity(before, short, images.address), media_key: mediaKey });
    result += `https://t.co/${short}`;
  }
  return { text: result, urls };

  function add(before: string, short: string, expanded: string): string {
    urls.push(entity(before, short, expanded));
    return `https://t.co/${short}`;
  }
}

/** A post as the API returns it: a long one truncated, with the full text only in its note, whose text has no media link. */
export function readText(text: string, urls: readonly UrlEntity[]) {
  const media = urls.find(({ media_key }) => media_key !== undefined);
  const note = media ? cut(text, media.start).trimEnd() : text;
  if (weighted(note).weightedLength <= limits.characters) return { text, urls, note: undefined };
  const shown = urls.filter(({ end }) => end <= limits.shownCharacters);
  const noteUrls = urls.filter(({ media_key }) => media_key === undefined);
  return {
    text: cut(text, limits.shownCharacters),
    urls: shown,
    note: { text: note, ...(noteUrls.length > 0 && { entities: { urls: noteUrls } }) },
  };
}

const cut = (text: string, characters: number) => [...text].slice(0, characters).join('');

function entity(before: string, short: string, expanded: string): UrlEntity {
  const url = `https://t.co/${short}`;
  const start = [...before].length;
  const display = expanded.replace(/^https?:\/\/(www\.)?/, '');
  return {
    start,
    end: start + url.length,
    url,
    expanded_url: expanded,
    display_url: display.length > 30 ? `${display.slice(0, 29)}…` : display,
  };
}
