/**
 * Takes out of a text what nobody can see, so that what looks the same is the same: format characters and code points that are no characters.
 * Joiners stay between others, where emoji and several scripts need them, and so do the tags of a flag: England's is a black flag with letters.
 */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE_OR_FLAG, '$<flag>').replace(JOINERS_AROUND, '');

/** Whether a text has anything to see. Braille's blank and the Hangul fillers are symbols and letters by their category, and show nothing. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

const INVISIBLE_OR_FLAG =
  /(?<flag>\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|(?![\u200c\u200d])[\p{Cf}\p{Noncharacter_Code_Point}]/gu;

/** The look behind keeps a long run in the middle from being tried at each of its characters. */
const JOINERS_AROUND = /^[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+$/g;
