/**
 * LinkedIn's "little text" (platform reference 3.2): an unescaped reserved character does not fail but truncates the post there. Hashtags stay
 * hashtags, and `@[Name](urn:li:organization:1)` a mention; every other reserved character is escaped.
 */
export function toLittleText(text: string): string {
  return text.replace(ELEMENT, (found: string, name: string | undefined, urn: string | undefined, tag: string | undefined) => {
    if (name !== undefined && urn !== undefined) return `@[${escaped(name)}](${urn})`;
    if (tag !== undefined) return tag.includes('_') ? `{hashtag|\\#|${escaped(tag)}}` : `#${tag}`;
    return `\\${found}`;
  });
}

/** The text as readers see it, with mentions replaced by their names. Escapes belong to the markup, which only `toLittleText` adds. */
export function asShown(text: string): string {
  return text.replace(new RegExp(MENTION, 'gu'), '$1');
}

/** The inverse of `toLittleText`, for texts that LinkedIn returns. */
export function fromLittleText(littleText: string): string {
  return littleText.replace(/\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\])*)\}/gu, '#$1').replace(/\\(.)/gsu, '$1');
}

const RESERVED = String.raw`[\\|{}@[\]()<>#*_~]`;
const MENTION = String.raw`@\[([^[\]\\\n]+)\]\((urn:li:(?:person|organization):[\w-]+)\)`;
/** Contains a letter and is not part of a word such as `C#` or of a URL. */
const HASHTAG = String.raw`(?<![\p{L}\p{N}_&/#])#([\p{N}_]*\p{L}[\p{L}\p{N}_]*)`;
const ELEMENT = new RegExp(`${MENTION}|${HASHTAG}|${RESERVED}`, 'gu');

function escaped(text: string): string {
  return text.replace(new RegExp(RESERVED, 'gu'), '\\$&');
}
