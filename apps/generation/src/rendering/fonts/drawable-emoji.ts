import type { SKRSContext2D } from '@napi-rs/canvas';
import { graphemes } from '../text/break-units.ts';
import { registerEmoji } from './font-stack.ts';

/** Keycaps such as 1️⃣ would leave a gap. */
const KEYCAP = /([0-9#*])\ufe0f?\u20e3/gu;
/** Several characters that are one emoji: joined, or with a skin tone. */
const SEQUENCE = /\p{Extended_Pictographic}.*[\u200d\u{1f3fb}-\u{1f3ff}]/su;
const JOINER = '\u200d';
const SIZE = 100;

/** Replaces emoji that the emoji font cannot draw as one glyph by a part of them: 🧔‍♂️ by 🧔, and flags such as 🏳️‍🌈 by what is on them. Keycaps become their character. */
export function drawableEmoji(context: SKRSContext2D, text: string): string {
  const plain = text.replaceAll(KEYCAP, '$1');
  if (!SEQUENCE.test(plain)) return plain;
  context.save();
  context.font = `${SIZE}px "${registerEmoji()}"`;
  context.letterSpacing = '0px';
  const isOne = (emoji: string) => context.measureText(emoji).width < SIZE * 1.5;
  const drawable = graphemes(plain)
    .map((grapheme) => (SEQUENCE.test(grapheme) && !isOne(grapheme) ? partOf(grapheme, isOne) : grapheme))
    .join('');
  context.restore();
  return drawable;
}

function partOf(emoji: string, isOne: (emoji: string) => boolean): string {
  const [base = '', emblem = ''] = emoji.split(JOINER);
  const part = emblem !== '' && /^[\u{1f3f3}\u{1f3f4}]/u.test(base) ? emblem : base;
  return isOne(part) ? part : String.fromCodePoint(part.codePointAt(0) ?? 0);
}
