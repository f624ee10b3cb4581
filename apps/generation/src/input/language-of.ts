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
  const { francAll } = await import('franc');
  const said = hint === undefined ? undefined : canonical(hint);
  const likely = francAll(text.slice(0, ENOUGH_CHARACTERS), { minLength: LEAST_LETTERS })
    .slice(0, LIKELY)
    .map(([code]) => canonical(code) ?? UNKNOWN);
  const [best = UNKNOWN] = likely;
  if (said !== undefined && (best === UNKNOWN || likely.some((one) => primaryOf(one) === primaryOf(said)))) return said;
  return best;
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
