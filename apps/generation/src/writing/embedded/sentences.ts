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

/** Excludes parts of web pages that are menus, banners or legal notices. Only for pages: a text that a caller sends is meant as it is. */
const NOISE =
  /\b(accepts?|us(es?|ing)|reject|manage|stores?) (all |our |of )*cookies\b|\bcookie (policy|settings|notice|consent|banner)|all rights reserved|copyright|©|privacy policy|terms of (use|service)|(enable|requires?) javascript|^(subscribe|sign (in|up)|log ?in|click here|read more)\b.{0,40}$|\bnewsletter\b/i;

/** Abbreviations that end with a full stop inside a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|dr|mr|mrs|ms|prof|st|sr|sra|jr|no|nr|vs|ca|approx|bzw|vgl|inkl|str|tel|fig|cf|p\. ?ej|e\.g|i\.e|u\.a|z\.b|d\.h)\.$/iu;

/**
 * The sentences of a text, each once. Headings and list items count as sentences.
 * @param options.isPage the text is that of a web page
 */
export function sentencesOf(text: string, { isPage = false }: { readonly isPage?: boolean } = {}): Sentence[] {
  const seen = new Set<string>();
  const found: Sentence[] = [];
  for (const paragraph of text.split(/\n+/)) {
    let isFirst = true;
    for (const whole of segmentsOf(paragraph)) {
      for (const sentence of withinLimit(whole)) {
        if ((isPage && NOISE.test(sentence)) || seen.has(sentence.toLowerCase())) continue;
        seen.add(sentence.toLowerCase());
        found.push({ text: sentence, index: found.length, isFirst });
        isFirst = false;
        if (found.length === MOST) return found;
      }
    }
  }
  return found;
}

/** Splits a paragraph. `Intl.Segmenter` also splits inside URLs and after abbreviations: these parts are joined again. */
function segmentsOf(paragraph: string): string[] {
  const joined: string[] = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(paragraph)) {
    const before = joined.at(-1);
    if (before !== undefined && !isEnd(before, segment)) joined[joined.length - 1] = before + segment;
    else joined.push(segment);
  }
  return joined.map((segment) => segment.replaceAll(/\s+/g, ' ').trim()).filter((segment) => segment !== '');
}

function isEnd(before: string, next: string): boolean {
  // Scripts that separate words by spaces have one after a sentence, too.
  if (!/\s$/u.test(before)) return /[。！？।॥؟۔…"”»』」)]$/u.test(before);
  return !ABBREVIATION.test(before.trim()) && !/^["'“„«(]?\p{Ll}/u.test(next);
}

/** Splits a text without punctuation between words, so that a part of it can be used. */
function withinLimit(sentence: string): string[] {
  if (sentence.length <= MAX_CHARACTERS) return [sentence];
  const cut = sentence.slice(0, MAX_CHARACTERS + 1);
  const at = Math.max(...[' ', '、', '，', '。'].map((mark) => cut.lastIndexOf(mark)));
  const end = at > MAX_CHARACTERS / 2 ? at : MAX_CHARACTERS;
  return [sentence.slice(0, end).trim(), ...withinLimit(sentence.slice(end).trim())];
}

/** Adds a final punctuation mark in the script of the text, so that another sentence can follow. */
export function ended(text: string): string {
  const trimmed = text.trim();
  const last = /[\p{L}\p{M}\p{N}%€$£)]["”»']?$/u.exec(trimmed)?.[0];
  return last === undefined || /(?:https?:\/\/|www\.)\S+$/i.test(trimmed) ? trimmed : `${trimmed}${markFor(trimmed)}`;
}

function markFor(text: string): string {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]["”»']?$/u.test(text)) return '。';
  if (/[\p{Script=Devanagari}\p{Script=Bengali}]["”»']?$/u.test(text)) return '।';
  return /[\p{Script=Thai}]["”»']?$/u.test(text) ? '' : '.';
}

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
