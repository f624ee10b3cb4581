import type { Sentence } from './sentences.ts';
import { wordsOf } from './words.ts';

/** A sentence and its relevance in the text. */
export interface Ranked extends Sentence {
  readonly words: ReadonlySet<string>;
  readonly weight: number;
}

const SHORT = 30;
const LONG = 220;

/**
 * The relevance of each sentence: the frequency of its words in the whole text (words that are common within sentences count less). Sentences at the start of
 * the text or of a paragraph rank higher.
 */
export function rank(sentences: readonly Sentence[], stopWords: ReadonlySet<string>): Ranked[] {
  const words = sentences.map(({ text }) => wordsOf(text, stopWords));
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sentences.map((sentence, at) => {
    const own = new Set(words[at]);
    const weightOfWords = [...own].reduce((sum, word) => sum + Math.log(1 + (counts.get(word) ?? 0)), 0) / Math.sqrt(Math.max(own.size, 4));
    const place = 1 + 0.6 / (1 + sentence.index) + (sentence.isFirst ? 0.1 : 0);
    const { length } = sentence.text;
    const size = length < SHORT ? length / SHORT : length > LONG ? LONG / length : 1;
    return { ...sentence, words: own, weight: weightOfWords * place * size };
  });
}

/**
 * The requested number of relevant and diverse sentences (maximal marginal relevance).
 * @param near words that the sentences should contain
 */
export function choose(
  ranked: readonly Ranked[],
  count: number,
  near: ReadonlySet<string> = new Set(),
  used: readonly Pick<Ranked, 'words'>[] = [],
): Ranked[] {
  const chosen: Ranked[] = [];
  const rest = ranked.map((one) => ({
    one,
    score: one.weight * (1 + 1.5 * similarity(one.words, near)),
    likeness: Math.max(0, ...used.map((other) => similarity(one.words, other.words))),
  }));
  while (chosen.length < count && rest.length > 0) {
    const scores = rest.map(({ score, likeness }) => score * (1 - likeness));
    const [best] = rest.splice(scores.indexOf(Math.max(...scores)), 1);
    if (!best) break;
    chosen.push(best.one);
    for (const other of rest) other.likeness = Math.max(other.likeness, similarity(other.one.words, best.one.words));
  }
  return chosen;
}

/** The share of the words of the smaller set that the other one also has. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / small.size;
}
