import { primaryOf } from '../../input/language-of.ts';

/** The names of stop word lists in the package, by language. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ ar: 'ara', bg: 'bul', bn: 'ben', ca: 'cat', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', es: 'spa', et: 'est', fa: 'fas' },
  ...{ fi: 'fin', fr: 'fra', he: 'heb', hi: 'hin', hr: 'hrv', hu: 'hun', id: 'ind', it: 'ita', ja: 'jpn', ko: 'kor', lt: 'lit', lv: 'lav' },
  ...{ nl: 'nld', no: 'nob', nb: 'nob', pl: 'pol', pt: 'por', ro: 'ron', ru: 'rus', sk: 'slk', sl: 'slv', sv: 'swe', th: 'tha', tr: 'tur' },
  ...{ uk: 'ukr', ur: 'urd', vi: 'vie', zh: 'zho' },
};

/** Stop words, loaded on first use. */
export async function stopWordsOf(language: string): Promise<ReadonlySet<string>> {
  const name = NAMES[primaryOf(language)];
  const { default: lists } = await import('stopword');
  return new Set(name === undefined ? [] : (lists[name] ?? []));
}

/** URLs and mail addresses, whose parts are not words of the text. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/gi;

/** The significant words of a text, in lower case, in order. */
export function wordsOf(text: string, stopWords: ReadonlySet<string>): string[] {
  return tokensOf(text.replaceAll(ADDRESS, ' '))
    .map((word) => word.toLowerCase())
    .filter((word) => !stopWords.has(word) && isMeaningful(word));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words of a text, unchanged. */
export const tokensOf = (text: string): string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

/** Numbers, single letters and short words in Latin script are not significant. */
const isMeaningful = (word: string): boolean =>
  !/^[\d.,:%]+$/.test(word) && (/\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(word) ? word.length >= 3 : word.length >= 2);
