import type { Media } from '@fanfare/contracts/library';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { GENERATED } from '../designs/draw-design.ts';
import { wordsOf } from './words-of.ts';

const PAGE = 100;
const PAGES = 3;
const MIN_SIDE = 400;

/**
 * The image of the business's library whose file name, alternative text and description share most words with a text; several equally good ones take turns.
 * Undefined if none shares a word. Searches the newest 300 media files, without those that generation made.
 */
export async function libraryImage(
  { library }: Pick<Context, 'library'>,
  text: string,
  turn: number,
  metadata: CallMetadata,
): Promise<Media | undefined> {
  const words = new Set(wordsOf(text));
  const fitting: { media: Media; fit: number }[] = [];
  let pageToken = '';
  for (let page = 0; page < PAGES; page++) {
    const { media, nextPageToken } = await library.listMedia(
      { folderId: undefined, allFolders: true, pageSize: PAGE, pageToken },
      { call: { metadata } },
    );
    for (const one of media) {
      const fit = isUsable(one) ? fitOf(one, words) : 0;
      if (fit > 0) fitting.push({ media: one, fit });
    }
    if (nextPageToken === '') break;
    pageToken = nextPageToken;
  }
  const best = Math.max(...fitting.map(({ fit }) => fit));
  const candidates = fitting.filter(({ fit }) => fit === best);
  return candidates[turn % candidates.length]?.media;
}

const isUsable = ({ type, description, width, height, facts }: Media): boolean =>
  type === 'MEDIA_TYPE_IMAGE' && description !== GENERATED && Math.min(width, height) >= MIN_SIDE && (facts?.frames ?? 1) === 1;

const fitOf = ({ altText, description, fileName }: Media, words: ReadonlySet<string>): number =>
  [...new Set(wordsOf(`${altText} ${description} ${fileName.replace(/\.[a-z0-9]+$/i, '')}`))].filter((word) => words.has(word)).length;
