/** Characters of a script that writes words or syllables with one say as much as about three Latin letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** How much a text says, in letters of an alphabet. */
export const sizeOf = (text: string): number => text.length + 2 * (text.match(DENSE)?.length ?? 0);
