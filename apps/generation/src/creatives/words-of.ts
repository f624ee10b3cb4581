const LEAST_LETTERS = 4;

/** The significant words, in lower case and without accents. Short words rarely are significant, except in scripts whose words have few characters. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(plain.slice(0, 4_000));
  return [...segments]
    .filter(({ isWordLike, segment }) => isWordLike && (segment.length >= LEAST_LETTERS || /[^\p{Script=Latin}\d]/u.test(segment)))
    .map(({ segment }) => segment);
}
