/**
 * LinkedIn's "little text" (platform reference 3.2): what is reserved and not escaped does not fail, but cuts the post off there. Hashtags stay
 * hashtags, and `@[Name](urn:li:organization:1)` a mention; every other reserved sign is shown as it was written.
 */
export function toLittleText(text: string): string {
  return text.replace(ELEMENT, (found: string, name: string | undefined, urn: string | undefined, tag: string | undefined) => {
    if (name !== undefined && urn !== undefined) return `@[${escaped(name)}](${urn})`;
    if (tag !== undefined) return tag.includes('_') ? `{hashtag|\\#|${escaped(tag)}}` : `#${tag}`;
    return `\\${found}`;
  });
}

/** The text as readers see it: a mention is its name. Escapes are the markup's, of which `toLittleText` alone knows. */
export function asShown(text: string): string {
  return text.replace(new RegExp(MENTION, 'gu'), '$1');
}

/** The text that `toLittleText` was given, out of what LinkedIn hands back. */
export function fromLittleText(littleText: string): string {
  return littleText.replace(/\{hashtag\|\\?[#＃]\|((?:\\.|[^}\\])*)\}/gu, '#$1').replace(/\\(.)/gsu, '$1');
}

const RESERVED = String.raw`[\\|{}@[\]()<>#*_~]`;
const MENTION = String.raw`@\[([^[\]\\\n]+)\]\((urn:li:(?:person|organization):[\w-]+)\)`;
/** Has a letter, and stands apart: not in `C#`, nor in an address. */
const HASHTAG = String.raw`(?<![\p{L}\p{N}_&/#])#([\p{N}_]*\p{L}[\p{L}\p{N}_]*)`;
const ELEMENT = new RegExp(`${MENTION}|${HASHTAG}|${RESERVED}`, 'gu');

function escaped(text: string): string {
  return text.replace(new RegExp(RESERVED, 'gu'), '\\$&');
}
