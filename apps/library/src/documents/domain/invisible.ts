/**
 * Removes invisible characters, so that texts that look the same are the same: format characters and noncharacters. Keeps joiners between characters,
 * which emoji and several scripts need, and the tags of flags: England's flag is a black flag followed by tag letters.
 */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE_OR_FLAG, '$<flag>').replace(JOINERS_AROUND, '');

/** Whether a text has a visible character. The Braille blank and the Hangul fillers are invisible, although their categories are symbol and letter. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

const INVISIBLE_OR_FLAG =
  /(?<flag>\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|(?![\u200c\u200d])[\p{Cf}\p{Noncharacter_Code_Point}]/gu;

/** The lookbehind prevents quadratic time for a long run of joiners in the middle. */
const JOINERS_AROUND = /^[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+$/g;
