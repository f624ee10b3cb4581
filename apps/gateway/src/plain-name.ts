/**
 * Names of people, organizations and businesses stand in mails, also to people who never heard of whoever chose them. So they are words: a link
 * among ours would be taken for ours, and characters that turn the direction of text, or end a line, let a name look like something else.
 */
const LINK = /[a-z][a-z0-9+.-]*:\/\/|\bwww\.|(?:mailto|tel|javascript|data):|[\p{L}\p{N}-]+\.\p{L}{2,}\/|\S@[\p{L}\p{N}-]+\.\p{L}/iu;
/** Bidirectional controls (Unicode Standard Annex #9, 2), which are invisible. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LINE_ENDS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What is wrong with a name that somebody chooses; undefined when nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name.search(LINE_ENDS) >= 0) return 'must not have line breaks or control characters';
  if (name.search(BIDI) >= 0) return 'must not have characters that change the direction of text';
  return LINK.test(name) ? 'must not have a URL or an e-mail address' : undefined;
}

/** What mail programs make links of: a scheme, a domain with or without a path, an address. A word joiner (U+2060) is not seen, and part of none of them. */
const LINK_JOINTS = /(?<=[\p{L}\p{N}])(?::(?=\/)|\.(?=\p{L})|@(?=[\p{L}\p{N}]))/gu;

const MAX_LENGTH = 1_000;

/** A text of a mail that names may stand in, on one line, as nothing but text: names that were stored before there were rules for them too. */
export const asWords = (text: string): string =>
  text.replace(LINE_ENDS, ' ').replace(BIDI, '').replace(LINK_JOINTS, '$&\u2060').trim().slice(0, MAX_LENGTH);
