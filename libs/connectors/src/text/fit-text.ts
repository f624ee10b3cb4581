import twitter from 'twitter-text';
import type { TextLimit } from '../limits.ts';
import { countText, HASHTAG, MENTION } from './count-text.ts';

const ELLIPSIS = '…';

/**
 * The text as a platform accepts it, changed as little as possible: forbidden characters are removed, excess hashtags, mentions and cashtags lose their sign, and a text that is too long is
 * cut between words, or characters as people see them, and ends with an ellipsis.
 */
export function fitText(text: string, limit: TextLimit): string {
  let fitting = text;
  for (const character of limit.forbidden ?? []) fitting = fitting.replaceAll(character, '');
  fitting = beginning(fitting, limit);
  if (limit.maxHashtags !== undefined) fitting = dropSigns(fitting, [...fitting.matchAll(HASHTAG)].slice(limit.maxHashtags));
  if (limit.maxMentions !== undefined) fitting = dropSigns(fitting, [...fitting.matchAll(MENTION)].slice(limit.maxMentions));
  if (limit.maxCashtags !== undefined) {
    const found = twitter.extractCashtagsWithIndices(fitting).slice(limit.maxCashtags);
    fitting = dropSigns(
      fitting,
      found.map(({ indices: [index] }) => ({ index })),
    );
  }
  return shorten(fitting, limit);
}

/** At least as much of the text as may fit, so that only the start of a very long one is processed. At most half of its characters are dropped. */
function beginning(text: string, { max, unit }: TextLimit): string {
  let length = 4 * max + 64;
  while (length < text.length && countText(text.slice(0, length), unit) <= 2 * max) length *= 2;
  return text.slice(0, length);
}

function dropSigns(text: string, found: readonly { readonly index: number }[]): string {
  // Adjacent signs are all removed: of two, the second would form the same tag again.
  return found.reduceRight((rest, { index }) => withoutRun(rest, index), text);
}

function withoutRun(text: string, index: number): string {
  const sign = text.charAt(index);
  let [begin, end] = [index, index + 1];
  while (text.charAt(begin - 1) === sign) begin--;
  while (text.charAt(end) === sign) end++;
  return text.slice(0, begin) + text.slice(end);
}

function shorten(text: string, { max, unit }: TextLimit): string {
  if (countText(text, unit) <= max) return text;
  const ends = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(
    ({ index, segment }) => index + segment.length,
  );
  const fits = (count: number) => countText(text.slice(0, ends[count - 1] ?? 0).trimEnd() + ELLIPSIS, unit) <= max;
  // The most graphemes that fit: a longer prefix never, or hardly ever, counts less.
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  while (low > 0 && !fits(low)) low--;
  const cut = text.slice(0, ends[low - 1] ?? 0);
  const betweenWords = /^[\s\S]*\S(?=\s+\S*$)/.exec(text.slice(0, (ends[low - 1] ?? 0) + 1))?.[0];
  const candidates = [betweenWords, cut.trimEnd()].filter((some): some is string => some !== undefined && some.length > cut.length / 2);
  return candidates.map((some) => some.trimEnd() + ELLIPSIS).find((some) => countText(some, unit) <= max) ?? '';
}
