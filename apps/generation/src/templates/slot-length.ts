import type { TextSlot } from './template.ts';

/** In short slots, such as buttons, longer texts would be too small to read. */
const SHORT: Readonly<Partial<Record<TextSlot, number>>> = { label: 50, cta: 50, author: 60, number: 20 };
const MOST = 500;

/** The maximum length of a text in a slot. */
export const mostCharacters = (slot: string): number => SHORT[slot as TextSlot] ?? MOST;

/** The length of a text in a slot. In short slots, Chinese, Japanese and Korean characters count twice, because they are twice as wide. */
export function lengthInSlot(text: string, slot: string): number {
  const isShort = mostCharacters(slot) < MOST;
  return (
    text.length + (isShort ? (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0) : 0)
  );
}

/** The first words of a text that fit in a slot; the first letters if not even one word does. */
export function shortened(text: string, slot: string): string {
  const fits = (part: string) => lengthInSlot(part, slot) <= mostCharacters(slot);
  if (fits(text)) return text;
  const parts = (granularity: 'word' | 'grapheme') => [...new Intl.Segmenter('und', { granularity }).segment(text)];
  for (const granularity of ['word', 'grapheme'] as const) {
    const ends = parts(granularity).map(({ index, segment }) => index + segment.length);
    const end = ends.filter((at) => fits(text.slice(0, at).trimEnd())).at(-1);
    // Without the punctuation that separated it from what is left out.
    if (end !== undefined) return text.slice(0, end).replace(/[\s,;:–—-]+$/u, '');
  }
  return '';
}
