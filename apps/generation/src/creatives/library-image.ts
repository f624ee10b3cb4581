import type { Media } from '@fanfare/contracts/library';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { GENERATED } from '../designs/draw-design.ts';
import { wordsOf } from './words-of.ts';

const PAGE = 100;
const PAGES = 3;
const MIN_SIDE = 400;

/** An image of the business's library that posts can show. */
export interface LibraryImage {
  readonly id: string;
  readonly url: string;
  /** The words of its file name, alternative text and description. */
  readonly words: readonly string[];
}

/** The images among the newest 300 media files of the business, newest first, without those that generation made. */
export async function readLibraryImages({ library }: Pick<Context, 'library'>, metadata: CallMetadata): Promise<LibraryImage[]> {
  const found: LibraryImage[] = [];
  let pageToken = '';
  for (let page = 0; page < PAGES; page++) {
    const { media, nextPageToken } = await library.listMedia(
      { folderId: undefined, allFolders: true, pageSize: PAGE, pageToken },
      { call: { metadata } },
    );
    for (const one of media.filter(isUsable)) found.push({ id: one.id, url: one.url, words: wordsFor(one) });
    if (nextPageToken === '') break;
    pageToken = nextPageToken;
  }
  return found;
}

/** The image that shares most words with a text; several equally good ones take turns. Undefined if none shares a word. */
export function matchingImage(images: readonly LibraryImage[], text: string, turn: number): LibraryImage | undefined {
  const wanted = new Set(wordsOf(text));
  const rated = images.map((image) => ({ image, fit: image.words.filter((word) => wanted.has(word)).length }));
  const best = Math.max(1, ...rated.map(({ fit }) => fit));
  const candidates = rated.filter(({ fit }) => fit === best);
  return candidates[turn % candidates.length]?.image;
}

const isUsable = ({ type, description, width, height, facts }: Media): boolean =>
  type === 'MEDIA_TYPE_IMAGE' && description !== GENERATED && Math.min(width, height) >= MIN_SIDE && (facts?.frames ?? 1) === 1;

const wordsFor = ({ altText, description, fileName }: Media): string[] => [
  ...new Set(wordsOf(`${altText} ${description} ${fileName.replace(/\.[a-z0-9]+$/i, '')}`)),
];
