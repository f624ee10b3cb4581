/** A sentence of a source. */
export interface Sentence {
  readonly text: string;
  /** Its position, from 0. */
  readonly index: number;
  /** Whether it begins a paragraph. */
  readonly isFirst: boolean;
}

const MOST = 400;
const MAX_CHARACTERS = 400;

/** Excludes text that looks like a menu or a legal notice. */
const NOISE =
  /cookie|all rights reserved|copyright|©|privacy policy|terms of (use|service)|subscribe|newsletter|sign (in|up)|log ?in|click here|read more|javascript/i;

/** The sentences of a text, each once. Headings and list items count as sentences. */
export function sentencesOf(text: string): Sentence[] {
  const seen = new Set<string>();
  const found: Sentence[] = [];
  for (const paragraph of text.split(/\n+/)) {
    let isFirst = true;
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(paragraph)) {
      const sentence = segment.replaceAll(/\s+/g, ' ').trim();
      if (sentence === '' || sentence.length > MAX_CHARACTERS || NOISE.test(sentence) || seen.has(sentence.toLowerCase())) continue;
      seen.add(sentence.toLowerCase());
      found.push({ text: sentence, index: found.length, isFirst });
      isFirst = false;
      if (found.length === MOST) return found;
    }
  }
  return found;
}

/** Adds a final punctuation mark, so that another sentence can follow. */
export const ended = (text: string): string => (/[.!?…。！？।؟:]["”»']?$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** Capitalizes the first letter, unless the first word has capitals elsewhere, such as iPhone. */
export const capitalised = (text: string): string =>
  /^\p{Ll}[^\p{Lu}\s]*(?=\s|$)/u.test(text) ? text.replace(/^./u, (first) => first.toLocaleUpperCase()) : text;

/** Removes the final punctuation mark, as in headlines. */
export const asHeadline = (text: string): string => text.trim().replace(/[.。।:]$/, '');

/** The first words of a text within a number of characters, cut at the end of a clause if there is one. */
export function headline(text: string, most = 80): string {
  const whole = asHeadline(text);
  if (whole.length <= most) return whole;
  const cut = whole.slice(0, most + 1);
  const part = Math.max(cut.lastIndexOf(', '), cut.lastIndexOf('; '), cut.lastIndexOf(' – '), cut.lastIndexOf(': '), cut.lastIndexOf('、'));
  if (part >= most * 0.4) return cut.slice(0, part);
  const word = cut.lastIndexOf(' ');
  return `${cut.slice(0, word > most * 0.4 ? word : most - 1).trimEnd()}…`;
}
