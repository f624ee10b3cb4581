/**
 * Names of people, organizations and businesses are shown in mails, also to people who do not know their authors. So they must be plain words: a link would
 * look like one of ours, and characters that change the direction of text, end a line or are invisible let a name look like something else. A domain
 * without a scheme is a valid name (Booking.com).
 */
const LINKS = [
  /[a-z][a-z0-9+.-]*:\/\//iu,
  /\/\/[\p{L}\p{N}-]+\./u,
  /\bwww\./iu,
  /\b(?:https?|ftp|mailto|tel|javascript|data):\S/iu,
  /[\p{L}\p{N}-]+\.\p{L}{2,}(?::\d|[/?#])/u,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/u,
  /\S@[\p{L}\p{N}-]+\.\p{L}/u,
];
/** Bidirectional controls (Unicode Standard Annex #9, 2). */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/**
 * Invisible characters: those that Unicode says to ignore if they cannot be displayed (Default_Ignorable_Code_Point), and the empty Braille pattern. Not
 * those that join letters of some scripts and emoji, select the style of an emoji or a Han character, or select a flag 🏴.
 */
export const UNSEEN =
  /(?![\u200c\u200d\ufe0e\ufe0f])(?<!\p{sc=Han}(?=[\u{e0100}-\u{e01ef}]))(?<!🏴[\u{e0020}-\u{e007f}]*(?=[\u{e0020}-\u{e007f}]))[\p{DI}\u2800]/gu;
const LINE_ENDS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Why a name is not permitted; undefined if it is. */
export function nameProblem(name: string): string | undefined {
  if (name.search(LINE_ENDS) >= 0) return 'must not contain line breaks or control characters';
  if (name.search(BIDI) >= 0) return 'must not contain characters that change the text direction';
  if (name.search(UNSEEN) >= 0) return 'must not contain invisible characters';
  const plain = withDots(name.normalize('NFKC'));
  return LINKS.some((link) => link.test(plain)) ? 'must not contain a URL or an email address' : undefined;
}

/** Browsers treat Chinese and Japanese full stops as dots of a domain, and readers a one dot leader. Between letters of other scripts they have no other use. */
export const withDots = (text: string): string => text.replace(/(?<=[a-z0-9])[\u2024\u3002\uff0e\uff61](?=[a-z0-9])/gi, '.');

/** Where mail programs recognize a link: a scheme, a domain or IP address, an email address. A word joiner (U+2060) is invisible and prevents it. */
const LINK_JOINTS = /(?<=[\p{L}\p{N}])(?::(?=\/)|\.(?=[\p{L}\p{N}])|@(?=[\p{L}\p{N}]))/gu;

const MAX_LENGTH = 1_000;

/** Makes a text of a mail that may contain names plain: one line without links. Names that were stored before the rules existed are covered too. */
export const asWords = (text: string): string =>
  withDots(text.replace(LINE_ENDS, ' ').replace(BIDI, '').replace(UNSEEN, '')).replace(LINK_JOINTS, '$&\u2060').trim().slice(0, MAX_LENGTH);
