const UNKNOWN = 'und';
const LEAST_LETTERS = 10;
const ENOUGH_CHARACTERS = 4_000;
/** The hint is used if it is among this many most likely languages. */
const LIKELY = 4;

/**
 * The language of a text, as BCP 47; `und` if unknown. The detector is loaded on first use, because it contains data of many languages.
 * @param hint the language that the text is expected to have
 */
export async function languageOf(text: string, hint?: string): Promise<string> {
  const byScript = languageOfScript(text.slice(0, ENOUGH_CHARACTERS));
  if (byScript !== undefined) return byScript;
  const { francAll } = await import('franc');
  const said = hint === undefined ? undefined : canonical(hint);
  const likely = francAll(text.slice(0, ENOUGH_CHARACTERS), { minLength: LEAST_LETTERS })
    .slice(0, LIKELY)
    .map(([code]) => canonical(code) ?? UNKNOWN);
  const [best = UNKNOWN] = likely;
  if (said !== undefined && (best === UNKNOWN || likely.some((one) => primaryOf(one) === primaryOf(said)))) return said;
  return best;
}

/** Scripts that only one language uses, in texts that are too short for statistics too. Japanese also uses the characters of Chinese. */
function languageOfScript(text: string): string | undefined {
  const shareOf = (script: RegExp) => (text.match(script)?.length ?? 0) / Math.max(1, text.match(/\p{L}/gu)?.length ?? 0);
  if (shareOf(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return 'ja';
  if (shareOf(/\p{Script=Hangul}/gu) > 0.5) return 'ko';
  return shareOf(/\p{Script=Thai}/gu) > 0.5 ? 'th' : undefined;
}

export const primaryOf = (language: string): string => language.split('-')[0] ?? language;

/** Replaces ISO 639-3 codes by two-letter codes if there are any. */
function canonical(code: string): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(code.trim().replaceAll('_', '-'));
    return tag === UNKNOWN ? undefined : tag;
  } catch {
    return undefined;
  }
}
