import twitter from 'twitter-text';
import type { TextUnit } from '../limits.ts';
import { asShown } from './little-text.ts';

/** The length of a text as a platform counts it. */
export function countText(text: string, unit: TextUnit): number {
  switch (unit) {
    case 'code_points':
      return [...text].length;
    case 'utf16':
      return text.length;
    case 'utf8_bytes':
      return new TextEncoder().encode(text).length;
    case 'little_text':
      // LinkedIn's: the characters that readers see.
      return [...asShown(text)].length;
    case 'x_weighted':
      // Configuration v3: code points after NFC, most of them weighing 1 in Latin and 2 elsewhere, a URL 23, an emoji sequence 2.
      return twitter.parseTweet(text).weightedLength;
  }
}

/** By Instagram's rules: letters, digits and underscores after the sign, which must not follow one of them. */
export const HASHTAG = /(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu;
export const MENTION = /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu;
