import { loadDefaultJapaneseParser, loadDefaultSimplifiedChineseParser, loadDefaultTraditionalChineseParser } from 'budoux';
import LineBreaker from 'linebreak';

/** A piece of text that is broken only if nothing else helps, and the space between it and the next. */
export interface Unit {
  readonly text: string;
  readonly space: string;
}

/** Scripts without spaces between words, whose words only a dictionary can find. */
const NEEDS_DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const PHRASES = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, loadDefaultJapaneseParser()],
  [/^zh-(hant|tw|hk|mo)/i, loadDefaultTraditionalChineseParser()],
  [/^zh/i, loadDefaultSimplifiedChineseParser()],
] as const;

/**
 * The phrases of a Japanese or Chinese paragraph, which read better unbroken; for other texts the same as `breakUnits`.
 * @param language BCP 47
 */
export function phraseUnits(paragraph: string, language: string): Unit[] {
  const units = breakUnits(paragraph, language);
  const [byScript, traditional, simplified] = PHRASES;
  const parser = byScript[0].test(paragraph)
    ? byScript[1]
    : /\p{Script=Han}/u.test(paragraph)
      ? [traditional, simplified].find(([tag]) => tag.test(language))?.[1]
      : undefined;
  if (!parser) return units;
  const ends = new Set<number>();
  let position = 0;
  for (const phrase of parser.parse(paragraph)) ends.add((position += phrase.length));
  const phrases: Unit[] = [];
  let at = 0;
  let isOpen = false;
  for (const { text, space } of units) {
    const before = isOpen ? phrases.pop() : undefined;
    phrases.push({ text: before ? before.text + before.space + text : text, space });
    at += text.length + space.length;
    isOpen = !ends.has(at) && space === '';
  }
  return phrases;
}

/** What belongs to the number before it: currency signs and codes, percent, degrees and common units, with punctuation after them. */
const BELONGS_TO_NUMBER =
  /^(?:\p{Sc}|[%‰°]|EUR|USD|GBP|CHF|JPY|INR|BRL|km|cm|mm|m|m²|kg|mg|g|ml|cl|l|kWh|kW|GB|MB|TB|h|min|Std\.|Uhr|am|pm|a\.m\.|p\.m\.)(?:[CF]\b)?[\p{P}]*$/iu;
const CURRENCY = /^[\p{Ps}\p{Pi}]*(?:\p{Sc}|EUR|USD|GBP|CHF|JPY|INR|BRL|R\$)$/u;

/**
 * The units of a paragraph, by the Unicode line breaking algorithm (UAX #14); by words for scripts such as Thai. Numbers stay with their unit or
 * currency.
 * @param language BCP 47
 */
export function breakUnits(paragraph: string, language: string): Unit[] {
  const units: Unit[] = [];
  for (const unit of uaxUnits(paragraph, language)) {
    const before = units.at(-1);
    const belongs =
      before !== undefined &&
      ((/\p{Nd}$/u.test(before.text) && BELONGS_TO_NUMBER.test(unit.text)) ||
        (CURRENCY.test(before.text) && /^[+-]?\p{Nd}/u.test(unit.text)));
    if (belongs) units[units.length - 1] = { text: before.text + before.space + unit.text, space: unit.space };
    else units.push(unit);
  }
  return units;
}

/** As `breakUnits`, but numbers can be separated from their unit. */
export function uaxUnits(paragraph: string, language: string): Unit[] {
  const ends = new Set<number>();
  const breaker = new LineBreaker(paragraph);
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) ends.add(next.position);
  if (NEEDS_DICTIONARY.test(paragraph)) addWordEnds(paragraph, language, ends);
  ends.add(paragraph.length);
  const units: Unit[] = [];
  let start = 0;
  for (const end of [...ends].sort((a, b) => a - b)) {
    const piece = paragraph.slice(start, end);
    start = end;
    const text = piece.trimEnd();
    const space = piece.slice(text.length);
    const before = units.at(-1);
    if (text === '' && before) units[units.length - 1] = { text: before.text, space: before.space + space };
    else if (text !== '') units.push({ text, space });
  }
  return units;
}

function addWordEnds(paragraph: string, language: string, ends: Set<number>): void {
  for (const { index, segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(paragraph)) {
    const next = paragraph.charAt(index + segment.length);
    // Repetition and abbreviation marks stay with the previous word.
    if (NEEDS_DICTIONARY.test(segment) && next !== '' && !/[\p{P}\p{M}\u0e46\u0e2f\s]/u.test(next)) ends.add(index + segment.length);
  }
}

/** The grapheme clusters of a unit. A unit that is wider than a line is broken between them. */
export const graphemes = (text: string): string[] =>
  [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);

/** Whether a text runs from right to left, by its first strong character, as in the Unicode bidirectional algorithm (P2 and P3); undefined without one. */
function directionOf(text: string): boolean | undefined {
  const [strong] = /[\p{L}\u200e\u200f\u061c]/u.exec(text) ?? [];
  return strong === undefined
    ? undefined
    : /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u.test(strong);
}

/** Whether a line runs from right to left. */
export const isRightToLeft = (text: string): boolean => directionOf(text) ?? false;

/** Whether a page runs from right to left: as the first of its texts that has a direction, or else by its language. */
export function readsRightToLeft(texts: readonly string[], language: string): boolean {
  const direction = texts.map(directionOf).find((one) => one !== undefined);
  return direction ?? /^(ar|he|fa|ur|yi|dv)\b/i.test(language);
}

/** Scripts whose letters join or stack. Letter spacing would separate them. */
export const joinsLetters = (text: string): boolean =>
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}]/u.test(text);
