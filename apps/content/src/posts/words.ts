/** The most words of a post that are indexed. A longer text is found by its first words only. */
const MAX_WORDS = 1000;
const MAX_LENGTH = 64;

/** Scripts without spaces between words, which are segmented with a dictionary. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The different words of a text, by which searches find it: in lower case and without accents, so that spelling variants match. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    // Upper case turns ß into SS.
    .toUpperCase()
    .toLowerCase();
  const words = new Set<string>();
  for (const [run] of folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    for (const word of UNSPACED.test(run) ? segmentsOf(run) : [run]) words.add(word.slice(0, MAX_LENGTH));
    if (words.size >= MAX_WORDS) break;
  }
  return [...words].slice(0, MAX_WORDS);
}

const segmentsOf = (run: string): string[] => [...segmenter.segment(run)].map(({ segment }) => segment);
