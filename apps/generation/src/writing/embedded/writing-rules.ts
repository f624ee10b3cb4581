/** Writing rules that can be applied mechanically. */
export interface WritingRules {
  readonly noEmoji: boolean;
  readonly noHashtags: boolean;
  readonly noExclamation: boolean;
  readonly noQuestions: boolean;
  readonly maxCharacters: number | undefined;
  readonly maxHashtags: number | undefined;
  /** Forbidden words, in lower case. */
  readonly banned: readonly string[];
  readonly beginning: string;
  readonly ending: string;
}

const QUOTED = /["“'‘«]([^"”'’»]{1,120})["”'’»]/;
const NEGATED = /\b(no|never|don[’']?t|do not|avoid|without|skip)\b/i;

/** Finds the rules that can be applied mechanically. The others are left to the people who review the posts. */
export function readRules(rules: readonly string[]): WritingRules {
  const forbids = (what: RegExp) => rules.some((rule) => NEGATED.test(rule) && what.test(rule));
  const mostOf = (what: RegExp) => {
    const found = rules.map((rule) =>
      what.test(rule) ? /\b(?:max(?:imum)?|at most|up to|under|less than|no more than)\D{0,12}(\d+)/i.exec(rule) : null,
    );
    const numbers = found.flatMap((match) => (match ? [Number(match[1])] : []));
    return numbers.length > 0 ? Math.min(...numbers) : undefined;
  };
  const quotedBy = (verb: RegExp) =>
    rules.map((rule) => (verb.test(rule) && !NEGATED.test(rule) ? QUOTED.exec(rule)?.[1] : undefined)).find(Boolean);
  return {
    noEmoji: forbids(/emoji/i),
    noHashtags: forbids(/hashtag/i) && mostOf(/hashtag/i) === undefined,
    noExclamation: forbids(/exclamation/i),
    noQuestions: forbids(/question/i),
    maxCharacters: mostOf(/character/i),
    maxHashtags: mostOf(/hashtag/i),
    banned: rules.flatMap(bannedIn),
    beginning: quotedBy(/\b(start|begin|open)s?\b.*\bwith\b/i) ?? '',
    ending: quotedBy(/\b(end|close|finish)e?s?\b.*\bwith\b/i) ?? '',
  };
}

/** As in: never use the word "cheap"; avoid saying "best". */
function bannedIn(rule: string): string[] {
  if (!NEGATED.test(rule) || !/\b(use|say|mention|write|word|words|phrase|saying|using)\b/i.test(rule)) return [];
  const quoted = [...rule.matchAll(new RegExp(QUOTED, 'g'))].map(([, word = '']) => word);
  const bare = /\bwords?\s+([\p{L}-]+)\s*$/iu.exec(rule)?.[1];
  return [...quoted, ...(quoted.length === 0 && bare !== undefined ? [bare] : [])].map((word) => word.toLowerCase());
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Whether a text contains a forbidden word. */
export const isBanned = (text: string, { banned }: WritingRules): boolean => {
  const plain = text.toLowerCase();
  return banned.some((word) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, 'u').test(plain));
};

/** An emoji, with skin tone and joined emoji. */
const EMOJI =
  /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{fe0f})(?:[\u{1f3fb}-\u{1f3ff}\u{fe0f}]|\u{200d}\p{Extended_Pictographic})*/gu;

/** Applies the rules to a text. */
export function ruled(text: string, rules: WritingRules): string {
  let kept = text;
  if (rules.noEmoji) kept = kept.replaceAll(EMOJI, '');
  if (rules.noExclamation) kept = kept.replaceAll(/!+/g, '.').replaceAll('！', '。').replaceAll('¡', '');
  return kept.replaceAll(/[^\S\n]{2,}/g, ' ').trim();
}
