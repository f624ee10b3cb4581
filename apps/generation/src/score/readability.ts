import { primaryOf } from '../input/language-of.ts';

/** How easy a text is to read, on the scale of the measure for its language. */
export interface Readability {
  /** 0 to 100; higher is easier. */
  readonly score: number;
  readonly measure: string;
}

interface Counts {
  readonly sentences: number;
  readonly words: number;
  readonly syllables: number;
  readonly letters: number;
}

/** Words per sentence and syllables per word. */
const rates = ({ sentences, words, syllables }: Counts) => ({ perSentence: words / sentences, perWord: syllables / words });

/** Published formulas by language. */
const MEASURES: Readonly<Record<string, readonly [name: string, of: (counts: Counts) => number]>> = {
  // Flesch 1948
  en: ['flesch_reading_ease', (counts) => 206.835 - 1.015 * rates(counts).perSentence - 84.6 * rates(counts).perWord],
  // Amstad 1978
  de: ['flesch_amstad', (counts) => 180 - rates(counts).perSentence - 58.5 * rates(counts).perWord],
  // Fernández Huerta 1959, as corrected by Law 2011
  es: ['fernandez_huerta', (counts) => 206.84 - 60 * rates(counts).perWord - 1.02 * rates(counts).perSentence],
  // Kandel and Moles 1958
  fr: ['kandel_moles', (counts) => 209 - 1.15 * rates(counts).perSentence - 68 * rates(counts).perWord],
  // Lucisano and Piemontese 1988
  it: ['gulpease', ({ sentences, words, letters }) => 89 + (300 * sentences - 10 * letters) / words],
  // Douma 1960
  nl: ['flesch_douma', (counts) => 206.84 - 0.93 * rates(counts).perSentence - 77 * rates(counts).perWord],
  // Martins, Ghiraldelo, Nunes and Oliveira 1996
  pt: ['flesch_martins', (counts) => 248.835 - 1.015 * rates(counts).perSentence - 84.6 * rates(counts).perWord],
};

const LEAST_WORDS = 5;

/** Undefined for a language without a measure, or a text with too few words. */
export function readabilityOf(text: string, language: string): Readability | undefined {
  const measure = MEASURES[primaryOf(language)];
  const counts = countsOf(text, language);
  if (!measure || counts.words < LEAST_WORDS) return undefined;
  const [name, of] = measure;
  return { measure: name, score: Math.round(Math.min(100, Math.max(0, of(counts))) * 10) / 10 };
}

function countsOf(text: string, language: string): Counts {
  const locale = primaryOf(language);
  const lines = text.split(/\n+/).filter((line) => /\p{L}/u.test(line));
  const sentences = lines.reduce(
    (sum, line) =>
      sum +
      [...new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(line)].filter(({ segment }) => /\p{L}/u.test(segment)).length,
    0,
  );
  const words = [...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike, segment }) => isWordLike && /\p{L}/u.test(segment))
    .map(({ segment }) => segment);
  return {
    sentences: Math.max(1, sentences),
    words: words.length,
    syllables: words.reduce((sum, word) => sum + syllablesOf(word, locale), 0),
    letters: words.reduce((sum, word) => sum + [...word].length, 0),
  };
}

/** Counts groups of vowels; in English and French a final `e` is silent. */
function syllablesOf(word: string, language: string): number {
  const plain = word.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const spoken = (language === 'en' && /[^l]e$/.test(plain)) || (language === 'fr' && /e$/.test(plain)) ? plain.slice(0, -1) : plain;
  return Math.max(1, (spoken.match(/[aeiouy]+/g) ?? []).length);
}
