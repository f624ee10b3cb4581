/** Of one post: a text of the greatest length may have more, and is found by its first ones. */
const MAX_WORDS = 1000;
const MAX_LENGTH = 64;

/** Scripts that set no spaces between words: a dictionary tells them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The different words of a text, by which it is found: in small letters and without accents, so that they match however they are typed. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    // By capitals, of which ß has two.
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
